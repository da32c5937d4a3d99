// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/direction_matrix_of.h>
#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/merging.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_parts.h>

#include <algorithm>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

std::vector<Direction> all_directions(const std::vector<Inclusion>& inclusions) {
  std::vector<Direction> all;
  for (const Inclusion& inclusion : inclusions)
    all.insert(all.end(), inclusion.directions.begin(), inclusion.directions.end());
  return all;
}

template <class Engine>
std::vector<Inclusion> checked_inclusions(std::vector<Inclusion> given,
                                          const ReducedSystem<Engine>& reduced) {
  check_inclusions(given, reduced.assembled().n_dofs());
  return given;
}

/// Returns the error message for prescribed motions without a rate, with the names of the first inclusions
/// that need the rate. Collective.
template <class Engine>
std::string missing_rates_message(const Inclusions<Engine>& inclusions) {
  constexpr Index n_named = 5;
  const AssembledSystem<Engine>& system = inclusions.reduced().assembled();
  const Eigen::SparseMatrix<double>& H = inclusions.H().constrained();
  std::string here;
  Index n_here = 0;
  for (Index j = 0; j < inclusions.n_directions(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(H, j); entry && n_here < n_named; ++entry, ++n_here)
      here += "; \"" + inclusions.direction_name(j) + "\" on " +
              system.describe(system.constrained().local()[static_cast<std::size_t>(entry.row())]);
  std::string all;
  for (const std::string& of_process : inclusions.H().communicator().gather(here))
    all += of_process;
  return "Inclusions act on constrained degrees of freedom (" + all.substr(2) +
         ") whose displacements q_D(t) are prescribed without their rates q_D'(t), but the slip rates of "
         "these inclusions depend on q_D'(t). Give the rate of the prescribed motion, too; the rate of a "
         "fixed DoF is zero.";
}

}  // namespace

template <class Engine>
struct Inclusions<Engine>::Implementation {
  Implementation(const ReducedSystem<Engine>& reduced_system, std::vector<Inclusion> inclusions)
      : reduced(reduced_system),
        given(checked_inclusions(std::move(inclusions), reduced)),
        merged(merge_parallel(given)),
        H(direction_matrix(reduced, all_directions(merged.acting))) {
    for (std::size_t i = 0; i < merged.acting.size(); ++i) {
      first.push_back(static_cast<Index>(owner.size()));
      owner.insert(owner.end(), merged.acting[i].directions.size(), i);
    }
    check_differentiated();
    find_kinds();
    has_moving_supports =
        acts_on(DoFKind::constrained) && static_cast<bool>(reduced.assembled().prescribed().value);
    has_moving_supports = has_moving_supports || has_prescribed_displacements();
    for (std::size_t j = 0; j < owner.size(); ++j)
      has_moving_supports = has_moving_supports || !support(static_cast<Index>(j)).is_constant();
  }

  /// Finds the kinds of DoFs on which each direction acts.
  void find_kinds() {
    const Classification& kinds = reduced.classification();
    const std::vector<Index>& free = reduced.free().places().local();
    constexpr Index n_dof_kinds = std::tuple_size<ActedKinds>::value;
    MultiVector entries = MultiVector::Zero(H.n_directions(), n_dof_kinds);
    for (Index j = 0; j < H.n_directions(); ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator entry(H.free(), j); entry; ++entry)
        entries(j, static_cast<Index>(kinds.kind(free[static_cast<std::size_t>(entry.row())]))) += 1;
      entries(j, static_cast<Index>(DoFKind::constrained)) =
          static_cast<double>(H.constrained().innerVector(j).nonZeros());
    }
    reduced.communicator().sum(entries.data(), static_cast<int>(entries.size()));
    acted_kinds.resize(static_cast<std::size_t>(H.n_directions()));
    for (Index j = 0; j < H.n_directions(); ++j)
      for (Index kind = 0; kind < n_dof_kinds; ++kind)
        acted_kinds[static_cast<std::size_t>(j)][static_cast<std::size_t>(kind)] = entries(j, kind) > 0;
  }

  bool acts_on(DoFKind kind) const {
    return std::any_of(acted_kinds.begin(), acted_kinds.end(),
                       [&](const ActedKinds& kinds) { return kinds[static_cast<std::size_t>(kind)]; });
  }

  /// Refuses inclusions that act on equations that have to be differentiated, because reactions of set-valued
  /// laws have no derivatives.
  void check_differentiated() const {
    const ConstrainedForm<Engine>* form = reduced.free().constraints();
    if (form == nullptr) return;
    constexpr double rounding = 1e-10;
    const Eigen::SparseMatrix<double> L_T = form->L.transpose();
    const MultiVector forces = L_T * H.on_dofs(), sizes = Eigen::SparseMatrix<double>(L_T.cwiseAbs()) *
                                                          Eigen::SparseMatrix<double>(H.on_dofs().cwiseAbs());
    for (Index j = 0; j < forces.cols(); ++j)
      if ((forces.col(j).array().abs() > rounding * sizes.col(j).array()).any())
        throw NotAvailable(
            "The inclusion \"" + merged.acting[owner[static_cast<std::size_t>(j)]].name +
            "\" acts on a constraint, or on another equation that has to be differentiated: the motion would "
            "depend on the time derivative of the reaction, which does not exist for a set-valued law. Let "
            "the inclusion act on degrees of freedom with mass, or add a mass, a damper or a spring to the "
            "degrees of freedom on which the inclusion acts.");
  }

  /// Whether constraints prescribe displacements along a direction of an inclusion.
  bool has_prescribed_displacements() const {
    const ConstrainedForm<Engine>* form = reduced.free().constraints();
    return form != nullptr &&
           !(Eigen::SparseMatrix<double>(H.on_dofs().transpose()) * form->offset).is_zero();
  }

  const ScalarFunction& support(Index j) const {
    const std::size_t i = owner[static_cast<std::size_t>(j)];
    return merged.acting[i].law->support(j - first[i]);
  }

  ReducedSystem<Engine> reduced;
  std::vector<Inclusion> given;
  MergedInclusions merged;
  DirectionMatrix H;
  std::vector<Index> first;             ///< first direction of each acting inclusion
  std::vector<std::size_t> owner;       ///< acting inclusion of each direction
  std::vector<ActedKinds> acted_kinds;  ///< kinds of DoFs on which each direction acts
  bool has_moving_supports = false;
};

template <class Engine>
Inclusions<Engine>::Inclusions(const ReducedSystem<Engine>& reduced, std::vector<Inclusion> given)
    : implementation_(std::make_shared<const Implementation>(reduced, std::move(given))) {}

template <class Engine>
const ReducedSystem<Engine>& Inclusions<Engine>::reduced() const {
  return implementation_->reduced;
}

template <class Engine>
const DirectionMatrix& Inclusions<Engine>::H() const {
  return implementation_->H;
}

template <class Engine>
const std::vector<Inclusion>& Inclusions<Engine>::given() const {
  return implementation_->given;
}

template <class Engine>
const std::vector<Inclusion>& Inclusions<Engine>::acting() const {
  return implementation_->merged.acting;
}

template <class Engine>
const std::vector<std::vector<std::size_t>>& Inclusions<Engine>::members() const {
  return implementation_->merged.parts;
}

template <class Engine>
Index Inclusions<Engine>::first_direction(std::size_t i) const {
  return implementation_->first[i];
}

template <class Engine>
std::size_t Inclusions<Engine>::inclusion_of(Index j) const {
  return implementation_->owner[static_cast<std::size_t>(j)];
}

template <class Engine>
LawLevel Inclusions<Engine>::level(Index j) const {
  const std::size_t i = inclusion_of(j);
  return acting()[i].law->level(j - first_direction(i));
}

template <class Engine>
std::string Inclusions<Engine>::direction_name(Index j) const {
  const std::size_t i = inclusion_of(j);
  const std::size_t n = acting()[i].directions.size();
  if (n == 1) return acting()[i].name;
  return acting()[i].name + ", direction " + std::to_string(j - first_direction(i) + 1) + " of " +
         std::to_string(n);
}

template <class Engine>
const ActedKinds& Inclusions<Engine>::kinds_acted_on(Index j) const {
  return implementation_->acted_kinds[static_cast<std::size_t>(j)];
}

template <class Engine>
bool Inclusions<Engine>::acts_on(DoFKind kind) const {
  return implementation_->acts_on(kind);
}

template <class Engine>
std::vector<Vector> Inclusions<Engine>::split_reactions(double time, const Vector& r) const {
  std::vector<Vector> reactions(given().size());
  for (std::size_t i = 0; i < acting().size(); ++i) {
    const auto n = static_cast<Index>(acting()[i].directions.size());
    const std::vector<Vector> parts =
        implementation_->merged.split(i, time, r.segment(first_direction(i), n));
    for (std::size_t k = 0; k < parts.size(); ++k)
      reactions[members()[i][k]] = parts[k];
  }
  return reactions;
}

template <class Engine>
std::vector<ContactState> Inclusions<Engine>::split_contacts(
    const std::vector<ContactState>& of_acting) const {
  std::vector<ContactState> contacts(given().size());
  for (std::size_t i = 0; i < acting().size(); ++i)
    for (std::size_t k = 0; k < members()[i].size(); ++k)
      contacts[members()[i][k]] = implementation_->merged.split(i, k, of_acting[i]);
  return contacts;
}

template <class Engine>
Vector Inclusions<Engine>::load(const State& state, const Vector& r) const {
  const Vector forces = H().force(r);
  return reduced().load(state, forces) + forces;
}

template <class Engine>
Vector Inclusions<Engine>::derivative(const State& state, const Vector& r) const {
  return reduced().apply(state, H().force(r));
}

template <class Engine>
Vector Inclusions<Engine>::state_derivative(const State& state, const MultiVector& x) const {
  const Classification& kinds = reduced().classification();
  Vector rate(state.y.size());
  stack_rows(rate, reduced().v_I(state.y), kinds.viscous().selected_rows(x),
             kinds.inertial().selected_rows(x));
  return rate;
}

template <class Engine>
AssembledMotion Inclusions<Engine>::lift(const State& state, const Vector& r) const {
  const AssembledSystem<Engine>& assembled = reduced().assembled();
  Vector forces = Vector::Zero(assembled.dofs().n_local());
  assembled.free().add_to(Vector(H().on_dofs() * r), forces);
  return reduced().lift(state, forces);
}

template <class Engine>
Vector Inclusions<Engine>::prescribed_by_dofs(double time) const {
  const TimeFunction& motion = reduced().assembled().prescribed().value;
  Vector p = Vector::Zero(n_directions());
  if (acts_on(DoFKind::constrained) && motion) p = H().constrained_components(motion(time));
  if (reduced().free().constraints()) p += H().dof_components(reduced().free().offset(time));
  return p;
}

template <class Engine>
Vector Inclusions<Engine>::prescribed(double time) const {
  Vector p = prescribed_by_dofs(time);
  for (Index j = 0; j < n_directions(); ++j)
    p[j] -= implementation_->support(j)(time);
  return p;
}

template <class Engine>
bool Inclusions<Engine>::has_moving_supports() const {
  return implementation_->has_moving_supports;
}

template <class Engine>
Vector Inclusions<Engine>::gaps(const State& state, const Vector& r) const {
  MultiVector q = displacement_states(reduced(), state.y);
  if (acts_on(DoFKind::algebraic))
    q += reduced().classification().algebraic().only(reduced().highest_derivatives(state.y, load(state, r)));
  return H().components(q) + prescribed(state.time);
}

template <class Engine>
Vector Inclusions<Engine>::rates(const State& state, const Vector& r, const Vector& r_rate) const {
  const Classification& kinds = reduced().classification();
  MultiVector v = velocity_states(reduced(), state.y);
  if (acts_on(DoFKind::viscous) || acts_on(DoFKind::algebraic)) {
    const MultiVector x = reduced().highest_derivatives(state.y, load(state, r));
    v += kinds.viscous().only(x);
    if (acts_on(DoFKind::algebraic))
      v += kinds.algebraic().only(
          MultiVector(reduced().rates_of_highest_derivatives(state, H().force(r), H().force(r_rate))));
  }
  return H().components(v) + prescribed_rate(state.time);
}

template <class Engine>
Vector Inclusions<Engine>::rates_without_load_rate(const State& state, const Vector& r) const {
  MultiVector v = velocity_states(reduced(), state.y);
  if (acts_on(DoFKind::viscous))
    v += reduced().classification().viscous().only(reduced().highest_derivatives(state.y, load(state, r)));
  return H().components(v) + prescribed_rate(state.time);
}

template <class Engine>
FreeMotion Inclusions<Engine>::free_motion(const State& state) const {
  return free_motion(state, Vector::Zero(n_directions()));
}

template <class Engine>
FreeMotion Inclusions<Engine>::free_motion(const State& state, const Vector& r) const {
  const Classification& kinds = reduced().classification();
  const MultiVector x = reduced().highest_derivatives(state.y, reduced().load(state, H().force(r)));
  MultiVector motion(x.rows(), 3);
  stack_columns(motion, displacement_states(reduced(), state.y) + kinds.algebraic().only(x),
                velocity_states(reduced(), state.y) + kinds.viscous().only(x), kinds.inertial().only(x));
  const MultiVector components = H().components(motion);
  return {state_derivative(state, x), components.col(0) + prescribed(state.time),
          components.col(1) + prescribed_rate(state.time), components.col(2)};
}

template <class Engine>
Vector Inclusions<Engine>::prescribed_rate(double time) const {
  const PrescribedMotion& motion = reduced().assembled().prescribed();
  Vector w = Vector::Zero(n_directions());
  if (acts_on(DoFKind::constrained) && motion.value) {
    if (!motion.rate) throw NotAvailable(missing_rates_message(*this));
    w += H().constrained_components(motion.rate(time));
  }
  if (reduced().free().constraints()) w += H().dof_components(reduced().free().offset(time, 1));
  for (Index j = 0; j < n_directions(); ++j)
    w[j] -= implementation_->support(j).derivative(time);
  return w;
}

template class Inclusions<InstantiatedEngine>;

}  // namespace halfdof
