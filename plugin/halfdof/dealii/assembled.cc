// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/new_dofs.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/dealii/assembled.h>
#include <halfdof/dealii/exchange.h>
#include <halfdof/dealii/option_checks.h>
#include <halfdof/dealii/uncoupled_dofs.h>
#include <halfdof/inclusions/linear_constraints.h>

#include <optional>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

template <class MatrixType>
using EngineOf = typename DealIITraits<MatrixType>::Engine;

/// Applies the constraints of an application to its matrices, loads and fields.
template <class MatrixType>
struct Condensation {
  using Engine = EngineOf<MatrixType>;
  using Matrix = typename Engine::Matrix;
  using VectorType = typename DealIITraits<MatrixType>::VectorType;

  /// Calls a function of the application on all processes and returns its result. If the function throws on
  /// one process, all processes throw.
  template <class F>
  auto call_on_all_processes(const F& function) const {
    std::optional<decltype(function())> result;
    call_together(dofs.communicator(), [&] { result.emplace(function()); });
    return std::move(*result);
  }

  Matrix condensed(const OwnedRows& rows) const {
    const Matrix A = Engine::from_rows(rows, dofs, dofs);
    return form == MatrixForm::raw ? relations.condensed(A) : A;
  }

  Vector condensed(const VectorType& load, const char* name) const {
    const Vector f = owned_entries(load, dofs, name);
    return form == MatrixForm::raw ? relations.condensed(f) : f;
  }

  /// Condenses a state force. If the matrices are condensed, the state force must be condensed as well.
  /// Collective.
  /// @throws InvalidInput if the force on a constrained DoF that depends on other DoFs is not zero
  Vector condensed_force(const VectorType& force, const char* name) const {
    if (form != MatrixForm::raw) check_following(owned_entries(force, dofs, name), name);
    return condensed(force, name);
  }

  Tangents<Engine> condensed(const DealIITangents<MatrixType>& tangents) const {
    const auto condensed_or_none = [&](const MatrixType* matrix, const char* name) -> std::optional<Matrix> {
      if (matrix == nullptr) return std::nullopt;
      return condensed(owned_rows(*matrix, dofs, name));
    };
    return {condensed_or_none(tangents.mass, "tangent mass matrix"),
            condensed_or_none(tangents.damping, "tangent damping matrix"),
            condensed_or_none(tangents.stiffness, "tangent stiffness matrix")};
  }

  /// Returns fields of the application with constraints distributed, as AssembledFromDealII::lift_into().
  /// @param zero a zero vector with the layout of the fields
  typename DealIIStateForce<MatrixType>::Fields fields(double time, const AssembledMotion& motion,
                                                       const VectorType& zero) const {
    const auto field = [&](const Vector& entries) {
      Vector q = relations.distribute(entries);
      for (const Index i : relations.constrained())
        q[i] += entries[i];
      VectorType result = zero;
      set_owned_entries(result, q, dofs);
      return result;
    };
    return {time, field(motion.displacement), field(motion.rate), field(motion.acceleration)};
  }

  Partition dofs;
  ConstraintRelations<Engine> relations;
  MatrixForm form;

 private:
  void check_following(const Vector& force, const char* name) const {
    call_together(dofs.communicator(), [&] {
      for (const Index i : relations.following())
        if (force[i] != 0)
          throw InvalidInput(std::string("The ") + name + " is " + number_text(force[i]) + " on DoF " +
                             std::to_string(dofs.global_index(i)) +
                             ", whose displacement depends on other DoFs by constraints (such as a hanging "
                             "node), but M, C and K were assembled with the constraints, so that this force "
                             "would be lost. Assemble the state force with the constraints too "
                             "(AffineConstraints::distribute_local_to_global, or condense()), or assemble "
                             "all matrices and forces without constraints.");
    });
  }
};

/// The matrices of an application before condensation, and functions that condense matrices, loads and state
/// forces.
template <class MatrixType>
class ApplicationMatrices {
 public:
  using Engine = EngineOf<MatrixType>;
  using Matrix = typename Engine::Matrix;
  using VectorType = typename DealIITraits<MatrixType>::VectorType;

  ApplicationMatrices(const MatrixType& stiffness, const dealii::AffineConstraints<double>& constraints)
      : dofs_(rows_of(stiffness)), condensation_{dofs_, {constraints, dofs_}, MatrixForm::detect} {}

  /// Adds a matrix. @return the number of the matrix, an argument of condensed()
  std::size_t add(const MatrixType& matrix, const std::string& name) {
    check_assembled(matrix, name, dofs_.communicator());
    rows_.push_back(owned_rows(matrix, dofs_, name));
    names_.push_back(name);
    return rows_.size() - 1;
  }

  void find_form(MatrixForm requested) {
    condensation_.form = halfdof::find_form(first(rows_.size()), relations(), dofs_, requested);
  }

  /// Returns the first n matrices that were added.
  std::vector<GivenMatrix> first(std::size_t n) const {
    std::vector<GivenMatrix> matrices;
    for (std::size_t i = 0; i < n; ++i)
      matrices.push_back({names_[i], &rows_[i]});
    return matrices;
  }

  Matrix condensed(std::size_t number) const { return condensation_.condensed(rows_[number]); }

  /// Returns the condensed load. @param load the load; may be empty on processes on which the load is zero
  TimeFunction condensed(std::function<VectorType(double)> load, const VectorType& zero) const {
    if (!dofs_.communicator().any(static_cast<bool>(load))) return {};
    if (!load) load = [zero](double) { return zero; };
    return [load, condensation = condensation_](double time) {
      return condensation.condensed(condensation.call_on_all_processes([&] { return load(time); }), "load");
    };
  }

  /// Returns the condensed state force. @param zero a zero vector of the application with the layout of the
  /// fields for the state force
  StateForce<Engine> condensed(const DealIIStateForce<MatrixType>& given, const VectorType& zero) const {
    StateForce<Engine> p;
    if (given.force)
      p.force = [given, zero, condensation = condensation_](double time, const AssembledMotion& motion) {
        const auto fields = condensation.fields(time, motion, zero);
        return condensation.condensed_force(
            condensation.call_on_all_processes([&] { return given.force(fields); }), "state force");
      };
    if (given.time_derivative)
      p.time_derivative = [given, zero, condensation = condensation_](double time,
                                                                      const AssembledMotion& motion) {
        const auto fields = condensation.fields(time, motion, zero);
        return condensation.condensed_force(
            condensation.call_on_all_processes([&] { return given.time_derivative(fields); }),
            "time derivative of the state force");
      };
    if (given.tangents)
      p.tangents = [given, zero, condensation = condensation_](double time, const AssembledMotion& motion) {
        const auto fields = condensation.fields(time, motion, zero);
        return condensation.condensed(
            condensation.call_on_all_processes([&] { return given.tangents(fields); }));
      };
    p.pattern = condensation_.condensed(given.pattern);
    return p;
  }

  const Partition& dofs() const { return dofs_; }
  const ConstraintRelations<Engine>& relations() const { return condensation_.relations; }
  MatrixForm form() const { return condensation_.form; }

 private:
  Partition dofs_;
  Condensation<MatrixType> condensation_;
  std::vector<OwnedRows> rows_;
  std::vector<std::string> names_;
};

/// Returns the prescribed motion g(t) = g of constraints that are constant in time.
template <class Engine>
PrescribedMotion constant_prescribed_motion(const ConstraintRelations<Engine>& relations) {
  if (!relations.inhomogeneous()) return {};
  const Vector g = relations.inhomogeneities();
  const auto zero = [n = g.size()](double) { return Vector::Zero(n).eval(); };
  return {[g](double) { return g; }, zero, zero, zero};
}

template <class Engine>
PrescribedMotion prescribed_motion_of(const MovingConstraints& motion,
                                      const ConstraintRelations<Engine>& relations) {
  const auto function = [&](const MovingConstraints::Function& constraints) -> TimeFunction {
    if (!constraints) return {};
    return [constraints, relations](double time) { return relations.inhomogeneities(constraints(time)); };
  };
  return {function(motion.value), function(motion.rate), function(motion.acceleration),
          function(motion.jerk)};
}

/// Returns the matrix, extended by zero rows and columns for DoFs that were added to the system. Collective.
/// @param all all DoFs of the system
template <class Engine>
typename Engine::Matrix with_added_dofs(const typename Engine::Matrix& matrix, const Partition& all) {
  SystemDescription<Engine> description;
  description.stiffness = matrix;
  return with_new_dofs(description, all.n_local() - matrix.rows().n_local(), {}).stiffness;
}

bool has_motion(const MovingConstraints& motion) {
  return motion.value || motion.rate || motion.acceleration;
}

/// Checks that the matrices are raw if constraints depend on time. @throws InvalidInput if the matrices are
/// condensed
void check_raw_matrices(MatrixForm form, const MovingConstraints& motion) {
  if (has_motion(motion) && form != MatrixForm::raw)
    throw InvalidInput(
        "The constraints depend on time, but the matrices are condensed: they do not contain the couplings "
        "between constrained and free degrees of freedom, through which the prescribed motion acts. Assemble "
        "M, C and K without the constraints (empty AffineConstraints in distribute_local_to_global).");
}

/// Adds the branches of all viscoelastic parts to the description of the system. @param parts numbers of the
/// stiffness matrices of the parts in `given`
template <class MatrixType>
std::vector<InternalDoFs> add_branches(const ApplicationMatrices<MatrixType>& given,
                                       const std::vector<std::size_t>& parts,
                                       const DealIIOptions<MatrixType>& options,
                                       SystemDescription<EngineOf<MatrixType>>& description) {
  using Engine = EngineOf<MatrixType>;
  if (parts.empty()) return {};
  std::vector<ViscoelasticPart<Engine>> viscoelastic;
  for (std::size_t i = 0; i < parts.size(); ++i)
    viscoelastic.push_back({with_added_dofs<Engine>(given.condensed(parts[i]), description.stiffness.rows()),
                            options.viscoelastic[i].series, options.viscoelastic[i].form});
  auto enlarged = with_viscoelastic_branches(description, viscoelastic);
  description = std::move(enlarged.description);
  return std::move(enlarged.internal);
}

}  // namespace

template <class MatrixType>
AssembledFromDealII<MatrixType>::AssembledFromDealII(SystemDescription<Engine> description,
                                                     std::shared_ptr<const Origin> origin)
    : AssembledSystem<Engine>(std::move(description)), origin_(std::move(origin)) {}

template <class MatrixType>
std::string AssembledFromDealII<MatrixType>::describe_origin() const {
  const auto& relations = origin_->relations;
  std::string form = "condensed by halfdof";
  if (origin_->form != MatrixForm::raw)
    form = relations.inhomogeneous() ? "condensed by the assembly (so the load must contain -T^T K g of the "
                                       "inhomogeneous constraints)"
                                     : "condensed by the assembly";
  return form + ": " + std::to_string(relations.n_constrained()) + " constraints, " +
         std::to_string(relations.n_following()) + " of them on DoFs that depend on other DoFs; " +
         std::to_string(this->n_dofs() - origin_->dofs.n_global()) + " new DoFs";
}

template <class MatrixType>
Vector AssembledFromDealII<MatrixType>::load_entries(const VectorType& load) const {
  Vector f = owned_entries(load, origin_->dofs, "load");
  if (origin_->form == MatrixForm::raw) f = origin_->relations.condensed(f);
  Vector all = Vector::Zero(this->dofs().n_local());
  all.head(f.size()) = f;
  return all;
}

template <class MatrixType>
typename AssembledFromDealII<MatrixType>::VectorType AssembledFromDealII<MatrixType>::field(
    const Vector& assembled) const {
  VectorType result = origin_->zero;
  set_owned_entries(result, origin_->relations.distribute(assembled.head(origin_->dofs.n_local())),
                    origin_->dofs);
  return result;
}

template <class MatrixType>
Vector AssembledFromDealII<MatrixType>::full_entries(const Vector& assembled) const {
  Vector q = origin_->relations.distribute(assembled.head(origin_->dofs.n_local()));
  for (const Index i : origin_->relations.constrained())
    q[i] += assembled[i];
  return q;
}

template <class MatrixType>
void AssembledFromDealII<MatrixType>::lift_into(VectorType& field, const Vector& assembled) const {
  VectorType owned = origin_->zero;
  set_owned_entries(owned, full_entries(assembled), origin_->dofs);
  const VectorType& without_ghosts =
      owned;  // A copy keeps the ghost entries of `field`, a move would remove them.
  field = without_ghosts;
}

template <class MatrixType>
Vector AssembledFromDealII<MatrixType>::own_entries(const VectorType& given, const std::string& name) const {
  Vector q = owned_entries(given, origin_->dofs, name);
  const Vector following = origin_->relations.distribute(q);
  for (const Index i : origin_->relations.constrained())
    q[i] -= following[i];
  return q;
}

template <class MatrixType>
Vector AssembledFromDealII<MatrixType>::displacement_entries(const VectorType& displacement) const {
  const Vector own = own_entries(displacement, "displacement");
  Vector q = Vector::Zero(this->dofs().n_local());
  q.head(own.size()) = own;
  // Internal DoFs are numbered last, except for dummy derivatives.
  std::vector<Vector> relaxed;
  for (const InternalDoFs& internal : origin_->internal)
    relaxed.push_back(internal.relaxed(q, this->dofs().communicator()));
  Eigen::Index end = q.size() - origin_->n_dummy;
  for (auto z = relaxed.rbegin(); z != relaxed.rend(); ++z) {
    end -= z->size();
    q.segment(end, z->size()) = *z;
  }
  return q;
}

template <class MatrixType>
Vector AssembledFromDealII<MatrixType>::rate_entries(const VectorType& rate) const {
  const Vector own = own_entries(rate, "rate");
  Vector v = Vector::Zero(this->dofs().n_local());
  v.head(own.size()) = own;
  return v;
}

template <class MatrixType>
AssembledFromDealII<MatrixType> assembled_from_dealii(
    const MatrixType& mass, const MatrixType& damping, const MatrixType& stiffness,
    const dealii::AffineConstraints<double>& constraints,
    const DealIILoad<typename DealIITraits<MatrixType>::VectorType>& load,
    const DealIIOptions<MatrixType>& options, DoFLabels labels) {
  using Engine = EngineOf<MatrixType>;
  ApplicationMatrices<MatrixType> given(stiffness, constraints);
  check_same_everywhere(mass, damping, options, given.dofs().communicator());
  const std::size_t K = given.add(stiffness, "stiffness matrix");
  std::optional<std::size_t> M, C;
  if (!is_absent(mass)) M = given.add(mass, "mass matrix");
  if (!is_absent(damping)) C = given.add(damping, "damping matrix");
  const std::string uncoupled = warning_of_uncoupled_dofs(given.first(1 + M.has_value() + C.has_value()),
                                                          constraints, labels, given.dofs());
  std::vector<std::size_t> parts;
  for (const auto& part : options.viscoelastic)
    parts.push_back(
        given.add(*part.stiffness, "stiffness of viscoelastic part " + std::to_string(parts.size() + 1)));
  const DealIITangents<MatrixType>& pattern = options.state_force.pattern;
  if (pattern.mass != nullptr) given.add(*pattern.mass, "pattern of the tangent mass");
  if (pattern.damping != nullptr) given.add(*pattern.damping, "pattern of the tangent damping");
  given.find_form(options.form);
  call_together(given.dofs().communicator(), [&] { check_raw_matrices(given.form(), options.motion); });

  SystemDescription<Engine> description;
  description.stiffness = given.condensed(K);
  if (M) description.mass = given.condensed(*M);
  if (C) description.damping = given.condensed(*C);
  description.constrained = given.relations().constrained();
  const auto zero = zero_vector(stiffness);
  description.load = given.condensed(load.value(), zero);
  if (!given.dofs().communicator().any(load.value() && !load.rate()))
    description.load_rate = given.condensed(load.rate(), zero);
  description.near_null_space =
      rigid_motions(labels, description.stiffness.rows().n_local(), options.first_displacement);
  description.labels = std::move(labels);
  if (has_motion(options.motion))
    description.prescribed = prescribed_motion_of(options.motion, given.relations());

  description.state_force = given.condensed(options.state_force, zero);

  check_attachments(options.attachments, given.relations(), given.dofs());
  description = with_lumped_elements(description, options.attachments);
  if (!options.with_constraints.empty())
    description = with_constraints(
        description, additional_constraints<Engine>(options.with_constraints, description.stiffness.rows()));

  std::vector<InternalDoFs> internal = add_branches(given, parts, options, description);
  // The prescribed motion is set after add_branches(), which assumes relaxed branches at constrained DoFs
  // that do not move.
  if (!has_motion(options.motion)) description.prescribed = constant_prescribed_motion(given.relations());

  if (!options.massless_contact.empty())
    description = with_massless_contact(description, options.massless_contact);

  const Index n_before = description.stiffness.rows().n_local();
  description = with_dummy_derivatives(description, options.dummy_derivatives).description;
  const Index n_dummy = description.stiffness.rows().n_local() - n_before;

  using Origin = typename AssembledFromDealII<MatrixType>::Origin;
  return AssembledFromDealII<MatrixType>(
      std::move(description),
      std::make_shared<const Origin>(
          Origin{given.dofs(), given.relations(), given.form(), std::move(internal), n_dummy, zero,
                 uncoupled.empty() ? std::vector<std::string>() : std::vector<std::string>{uncoupled}}));
}

#define INSTANTIATE(MatrixType)                                                                          \
  template class AssembledFromDealII<MatrixType>;                                                        \
  template AssembledFromDealII<MatrixType> assembled_from_dealii(                                        \
      const MatrixType&, const MatrixType&, const MatrixType&, const dealii::AffineConstraints<double>&, \
      const DealIILoad<DealIITraits<MatrixType>::VectorType>&, const DealIIOptions<MatrixType>&, DoFLabels);

INSTANTIATE(dealii::SparseMatrix<double>)
INSTANTIATE(dealii::BlockSparseMatrix<double>)
INSTANTIATE(dealii::TrilinosWrappers::SparseMatrix)
INSTANTIATE(dealii::TrilinosWrappers::BlockSparseMatrix)
#undef INSTANTIATE

}  // namespace halfdof
