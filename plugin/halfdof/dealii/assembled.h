// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/dealii/constraint_relations.h>
#include <halfdof/dealii/exchange.h>
#include <halfdof/dealii/labels.h>
#include <halfdof/dealii/load.h>
#include <halfdof/dealii/state_force.h>
#include <halfdof/inclusions/inclusions.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace halfdof {

/// A viscoelastic part, given by its part of the stiffness matrix. This matrix must exist until the system
/// has been assembled by assembled_from_dealii().
template <class MatrixType>
struct ViscoelasticBranches {
  const MatrixType* stiffness;
  PronySeries series;
  BranchForm form;
};

/**
 * Returns the branches of a Prony series for the part of a structure with the long-term stiffness K_part,
 * which is a summand of the stiffness matrix, assembled over all DoFs in the same way: see
 * with_viscoelastic_branches(). The result is an entry of DealIIOptions::viscoelastic. @throws InvalidInput
 * if a g_i or tau_i is not positive
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

/// Options of assembled_from_dealii() that few applications need.
template <class MatrixType>
struct DealIIOptions {
  MatrixForm form = MatrixForm::detect;
  MovingConstraints motion;                  ///< absent: constraints are constant in time
  std::vector<std::string> component_names;  ///< "x", "y", ...; absent: components are numbered
  std::vector<ViscoelasticBranches<MatrixType>> viscoelastic;  ///< parts that get internal DoFs
  LumpedElements attachments;  ///< springs, dampers, masses; their new DoFs follow those of the matrices
  /// Rigid links and other constraints between DoFs of the matrices and of the attachments, along any
  /// directions: see rigid_link() and halfdof::with_constraints(). Their multipliers follow the new DoFs of
  /// attachments. They need one process; a mass on rigid rods needs no constraint (mass_on_rods()).
  std::vector<LinearConstraint> with_constraints = {};
  DealIIStateForce<MatrixType> state_force;  ///< absent: only attachments are nonlinear
  /// DoFs whose mass is moved to other DoFs of their bodies, see with_massless_contact(): for example those
  /// of DealIIDirections::contact_dofs(). Without a DoFHandler there are no support points for this.
  std::vector<GlobalIndex> massless_contact;
  /// Options for multipliers (the pressure of an incompressible solid) that couple many DoFs: see
  /// with_dummy_derivatives(). They need one process.
  DummyDerivativeOptions dummy_derivatives = {DummyDerivativeOptions::worthwhile, {}};
  /// First component of the displacement, whose rigid_motions() are the near null space of multigrid; -1: no
  /// component is a displacement.
  Index first_displacement = 0;
};

/**
 * The system of a deal.II application after assembly,
 * @f[ M\ddot q + C\dot q + K q = f(t), \qquad q = T q_f + g, @f]
 * with deal.II's constraints (hanging nodes, Dirichlet values, periodicity) as @f$T@f$ and @f$g@f$.
 * Constrained DoFs are eliminated, and the values that deal.II wrote on their diagonals are ignored.
 *
 * Matrices assembled without constraints ("raw") are condensed here,
 * @f[ T^T M T\,\ddot q_f + T^T C T\,\dot q_f + T^T K T\,q_f = T^T (f - M\ddot g - C\dot g - K g). @f]
 * Matrices assembled by AffineConstraints::distribute_local_to_global are already T^T A T and are used
 * unchanged; their load must then contain -T^T K g (the overload for matrix and vector together adds this
 * term). The form of the matrices is detected from their values, see find_form(). Inhomogeneities that
 * depend on time need the raw matrices, since condensed ones do not contain the couplings to g.
 *
 * Numbering: that of the DoFHandler, followed by the new DoFs of attachments, multipliers of constraints,
 * internal DoFs of viscoelastic parts, and dummy derivatives. Objects are returned by
 * assembled_from_dealii(). Constant; cheap to copy.
 */
template <class MatrixType>
class AssembledFromDealII : public AssembledSystem<typename DealIITraits<MatrixType>::Engine> {
 public:
  using Engine = typename DealIITraits<MatrixType>::Engine;
  using VectorType = typename DealIITraits<MatrixType>::VectorType;
  /// Data of the application in addition to the system; shared by copies.
  struct Origin {
    Partition dofs;  ///< distribution of the rows of the application's matrices
    ConstraintRelations<Engine> relations;
    MatrixForm form;
    std::vector<InternalDoFs> internal;
    Index n_dummy;                      ///< number of dummy derivatives, which are the last DoFs
    VectorType zero;                    ///< a zero vector of the application without ghost entries
    std::vector<std::string> warnings;  ///< see warnings()
  };

  AssembledFromDealII(SystemDescription<Engine> description, std::shared_ptr<const Origin> origin);

  const Origin& origin() const { return *origin_; }

  /// Returns a text such as "condensed here: 12 constraints, 4 of them on DoFs that follow others; 30 new
  /// DoFs".
  std::string describe_origin() const;

  /// Returns warnings about the given matrices, in sentences: warning_of_uncoupled_dofs(). Empty if there is
  /// none.
  const std::vector<std::string>& warnings() const { return origin_->warnings; }

  /// Returns the load of an application on the local assembled DoFs: condensed if the matrices are raw, zero
  /// on new DoFs. For equilibrium() and HarmonicLoads. Collective. @throws InvalidInput if the size differs
  Vector load_entries(const VectorType& load) const;

  /// Returns a field of the application for local assembled entries, with constraints distributed but without
  /// inhomogeneities: for example a mode shape.
  VectorType field(const Vector& assembled) const;

  /// Writes a result of lift(): like field(), plus the given entries of constrained DoFs. `field` keeps its
  /// ghost entries; an empty one is initialized without ghost entries.
  void lift_into(VectorType& field, const Vector& assembled) const;

  /// Returns the entries of the application's own DoFs for a result of lift(), as written by lift_into().
  Vector full_entries(const Vector& assembled) const;

  /// Returns the local assembled entries of given displacements: constrained DoFs contain their displacement
  /// minus T q_f, new DoFs are zero, internal DoFs are relaxed (see InternalDoFs). @throws InvalidInput if
  /// the size differs
  Vector displacement_entries(const VectorType& displacement) const;
  /// Returns the local assembled entries of given rates; the rates of internal DoFs are zero.
  Vector rate_entries(const VectorType& rate) const;

 private:
  Vector own_entries(const VectorType& given, const std::string& name) const;

  std::shared_ptr<const Origin> origin_;
};

/**
 * Converts the assembled matrices of an application; they are copied. An empty (never initialized) mass or
 * damping matrix is absent.
 *
 * Shapes: all matrices are square, of the size of the DoFHandler (or larger: see labels_from_dealii()), and
 * distributed ones have the same row distribution; the constraints are closed. Units: those of the
 * application. The load is a vector or a function of time (DealIILoad).
 *
 * @throws InvalidInput if the stiffness matrix was never initialized, entries of a matrix wait for
 *     compress(), shapes differ, some matrices are condensed and others are not, constraints move but the
 *     matrices are condensed, an attachment or a constraint of the options acts on a DoF that follows
 *     others, or processes give different options
 */
template <class MatrixType>
AssembledFromDealII<MatrixType> assembled_from_dealii(
    const MatrixType& mass, const MatrixType& damping, const MatrixType& stiffness,
    const dealii::AffineConstraints<double>& constraints,
    const DealIILoad<typename DealIITraits<MatrixType>::VectorType>& load,
    const DealIIOptions<MatrixType>& options = {}, DoFLabels labels = {});

/// Converts the assembled matrices, and adds labels and support points.
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

/// Converts the assembled matrices, and adds labels and support points for the linear mapping of the cells.
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
