#pragma once

#include <halfdof/assembled/dummy_derivatives.h>
#include <halfdof/assembled/lumped_elements.h>
#include <halfdof/assembled/massless_contact.h>
#include <halfdof/assembled/rigid_motions.h>
#include <halfdof/assembled/viscoelastic.h>
#include <halfdof/dealii/constraint_relations.h>
#include <halfdof/dealii/exchange.h>
#include <halfdof/dealii/labels.h>
#include <halfdof/dealii/load.h>
#include <halfdof/dealii/state_force.h>
#include <halfdof/inclusions/attachments.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace halfdof {

/// A viscoelastic part by its share of the stiffness matrix, which must outlive the hand-over.
template <class MatrixType>
struct ViscoelasticBranches {
  const MatrixType* stiffness;
  PronySeries series;
  BranchForm form;
};

/**
 * Gives the part of a structure whose long-term stiffness is K_part (a summand of the stiffness matrix,
 * assembled over all DoFs in the same way) the branches of a Prony series: see with_viscoelastic_branches().
 * To be put into DealIIOptions::viscoelastic. @throws InvalidInput if a g_i or tau_i is not positive
 */
template <class MatrixType>
ViscoelasticBranches<MatrixType> viscoelastic_branches(const MatrixType& K_part, PronySeries series,
                                                       BranchForm form = BranchForm::local) {
  check_series(series);
  return {&K_part, std::move(series), form};
}
template <class MatrixType>
ViscoelasticBranches<MatrixType> viscoelastic_branches(const MatrixType&&, PronySeries,
                                                       BranchForm = BranchForm::local) = delete;

/// Everything that is rarely needed.
template <class MatrixType>
struct DealIIOptions {
  MatrixForm form = MatrixForm::detect;
  MovingConstraints motion;                                    ///< absent: constraints are constant in time
  std::vector<std::string> component_names;                    ///< "x", "y", ...; absent: numbers
  std::vector<ViscoelasticBranches<MatrixType>> viscoelastic;  ///< internal DoFs to add
  LumpedElements attachments;  ///< springs, dampers, masses; their new DoFs follow those of the matrices
  /// Rigid links and other constraints between DoFs of the matrices and of the attachments, along any
  /// directions: see rigid_link() and halfdof::with_constraints(). Their multipliers follow the new DoFs of
  /// attachments. On one process; a mass on rigid rods needs none (mass_on_rods()).
  std::vector<LinearConstraint> with_constraints = {};
  DealIIStateForce<MatrixType> state_force;  ///< absent: all but nonlinear attachments is linear
  /// DoFs whose mass goes to the rest of their bodies, see with_massless_contact(): those of
  /// DealIIDirections::contact_dofs(), say. With support points only where a DoFHandler is given.
  std::vector<GlobalIndex> massless_contact;
  /// Where multipliers (the pressure of an incompressible solid) tie many DoFs together: see
  /// with_dummy_derivatives(). On one process.
  DummyDerivativeOptions dummy_derivatives = {DummyDerivativeOptions::worthwhile, {}};
  /// Where the components of the displacement begin, whose rigid_motions() multigrid starts from; -1: there
  /// is none.
  Index first_displacement = 0;
};

/**
 * The system of a deal.II application after assembly,
 * @f[ M\ddot q + C\dot q + K q = f(t), \qquad q = T q_f + g, @f]
 * with deal.II's constraints (hanging nodes, Dirichlet values, periodicity) as @f$T@f$ and @f$g@f$:
 * constrained DoFs are taken out, and what deal.II wrote on their diagonals is not looked at.
 *
 * Matrices assembled without constraints ("raw") are condensed here,
 * @f[ T^T M T\,\ddot q_f + T^T C T\,\dot q_f + T^T K T\,q_f = T^T (f - M\ddot g - C\dot g - K g). @f]
 * Matrices assembled by AffineConstraints::distribute_local_to_global are T^T A T already and taken as they
 * are; their load must then hold -T^T K g (the overload that takes matrix and vector together puts it there).
 * Which of both is given is seen by the values, see find_form(). Inhomogeneities that move with time need the
 * raw matrices: in condensed ones the couplings to g are gone.
 *
 * Numbering: that of the DoFHandler; the new DoFs of attachments, multipliers of constraints, the internal
 * DoFs of viscoelastic parts and then dummy derivatives follow. Made by assembled_from_dealii(). Constant;
 * cheap to copy.
 */
template <class MatrixType>
class AssembledFromDealII : public AssembledSystem<typename DealIITraits<MatrixType>::Engine> {
 public:
  using Engine = typename DealIITraits<MatrixType>::Engine;
  using VectorType = typename DealIITraits<MatrixType>::VectorType;
  /// What came from deal.II besides the system; shared by copies.
  struct Origin {
    Partition dofs;  ///< rows of the application's matrices
    ConstraintRelations<Engine> relations;
    MatrixForm form;
    std::vector<InternalDoFs> internal;
    Index n_dummy;                      ///< dummy derivatives, the last of all DoFs
    VectorType zero;                    ///< a vector of the application without ghost entries
    std::vector<std::string> warnings;  ///< what is suspicious, in sentences
  };

  AssembledFromDealII(SystemDescription<Engine> description, std::shared_ptr<const Origin> origin);

  const Origin& origin() const { return *origin_; }

  /// "condensed here: 12 constraints, 4 of them on DoFs that follow others; 30 new DoFs".
  std::string describe_origin() const;

  /// What is suspicious about what was handed over: warning_of_uncoupled_dofs(). In sentences; none: nothing.
  const std::vector<std::string>& warnings() const { return origin_->warnings; }

  /// The load of an application on the local assembled DoFs: condensed where the matrices are raw, zero on
  /// new DoFs. For equilibrium() and HarmonicLoads. Collective. @throws InvalidInput if the size differs
  Vector load_entries(const VectorType& load) const;

  /// A field of the application (constraints distributed, inhomogeneities aside) from local assembled
  /// entries: a mode shape, say.
  VectorType field(const Vector& assembled) const;

  /// Writes a result of lift(): as field(), with the entries of constrained DoFs added as they stand. `field`
  /// keeps its ghost entries; an empty one is initialized without.
  void lift_into(VectorType& field, const Vector& assembled) const;

  /// The application's own entries of a result of lift(), as lift_into() writes them.
  Vector full_entries(const Vector& assembled) const;

  /// Local assembled entries of given displacements: constrained DoFs hold what is left of them without
  /// T q_f, new ones zero, internal ones are relaxed (see InternalDoFs). @throws InvalidInput if the size
  /// differs
  Vector displacement_entries(const VectorType& displacement) const;
  /// The same of rates; internal DoFs rest.
  Vector rate_entries(const VectorType& rate) const;

 private:
  Vector own_entries(const VectorType& given, const std::string& name) const;

  std::shared_ptr<const Origin> origin_;
};

/**
 * Takes over what an application has assembled; the matrices are copied. An empty (never initialized) mass or
 * damping matrix is absent.
 *
 * Shapes: all matrices square, of the size of the DoFHandler (or larger: see labels_from_dealii()), for
 * distributed ones with equal row distribution; the constraints closed. Units: the application's own. The
 * load is a vector or a function of time (DealIILoad).
 *
 * @throws InvalidInput if the stiffness matrix was never initialized, entries of a matrix wait for
 * compress(), shapes differ, the matrices contradict each other in whether they are condensed, constraints
 * move, but the matrices are condensed, an attachment or a constraint of the options sits on a DoF that
 * follows others, or processes give different options
 */
template <class MatrixType>
AssembledFromDealII<MatrixType> assembled_from_dealii(
    const MatrixType& mass, const MatrixType& damping, const MatrixType& stiffness,
    const dealii::AffineConstraints<double>& constraints,
    const DealIILoad<typename DealIITraits<MatrixType>::VectorType>& load,
    const DealIIOptions<MatrixType>& options = {}, DoFLabels labels = {});

/// The same with labels and support points.
template <class MatrixType, int dim, int spacedim>
AssembledFromDealII<MatrixType> assembled_from_dealii(
    const MatrixType& mass, const MatrixType& damping, const MatrixType& stiffness,
    const dealii::AffineConstraints<double>& constraints,
    const DealIILoad<typename DealIITraits<MatrixType>::VectorType>& load,
    const dealii::DoFHandler<dim, spacedim>& dof_handler, const dealii::Mapping<dim, spacedim>& mapping,
    const DealIIOptions<MatrixType>& options = {}) {
  return assembled_from_dealii(
      mass, damping, stiffness, constraints, load, options,
      labels_from_dealii(dof_handler, mapping, rows_of(stiffness), options.component_names));
}

/// The same with the linear mapping of the cells.
template <class MatrixType, int dim, int spacedim>
AssembledFromDealII<MatrixType> assembled_from_dealii(
    const MatrixType& mass, const MatrixType& damping, const MatrixType& stiffness,
    const dealii::AffineConstraints<double>& constraints,
    const DealIILoad<typename DealIITraits<MatrixType>::VectorType>& load,
    const dealii::DoFHandler<dim, spacedim>& dof_handler, const DealIIOptions<MatrixType>& options = {}) {
  return assembled_from_dealii(
      mass, damping, stiffness, constraints, load, dof_handler,
      dof_handler.get_fe(0).reference_cell().template get_default_linear_mapping<dim, spacedim>(), options);
}

}  // namespace halfdof
