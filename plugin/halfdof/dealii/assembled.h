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

/// A viscoelastic part of the structure, given by its contribution to the stiffness matrix. This contribution
/// must exist until assembled_from_dealii() returns.
template <class MatrixType>
struct ViscoelasticBranches {
  const MatrixType* stiffness;  ///< long-term stiffness of the part
  PronySeries series;
  BranchForm form;
};

/**
 * Returns the branches of a Prony series for the part of a structure with the long-term stiffness K_part, as
 * an entry of DealIIOptions::viscoelastic. K_part is a summand of the stiffness matrix, assembled over all
 * DoFs in the same way, see with_viscoelastic_branches(). @throws InvalidInput if a coefficient g_i or a
 * relaxation time tau_i is not positive
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
  /// Whether the matrices were assembled with or without constraints.
  MatrixForm form = MatrixForm::detect;
  MovingConstraints motion;  ///< constraints as functions of time; if empty, constraints are constant in time
  std::vector<std::string> component_names;  ///< "x", "y", ...; components without a name are numbered
  std::vector<ViscoelasticBranches<MatrixType>>
      viscoelastic;  ///< viscoelastic parts, which add internal DoFs
  LumpedElements
      attachments;  ///< springs, dampers, masses; new DoFs are numbered after those of the matrices
  /// Rigid links and other constraints between DoFs of the matrices and of the attachments, along any
  /// directions, see rigid_link() and halfdof::with_constraints(). The multipliers are numbered after the new
  /// DoFs of attachments. Constraints need one process; a mass on rigid rods needs no constraint
  /// (mass_on_rods()).
  std::vector<LinearConstraint> with_constraints = {};
  DealIIStateForce<MatrixType> state_force;  ///< forces that depend on the state, if there are any
  /// DoFs whose mass is moved to other DoFs of their bodies, see with_massless_contact(), for example the
  /// DoFs of DealIIDirections::contact_dofs(). Without a DoFHandler there are
  /// no support points, and only the total mass is preserved.
  std::vector<GlobalIndex> massless_contact;
  /// Options for Lagrange multipliers that couple many DoFs (the pressure of an incompressible solid), see
  /// with_dummy_derivatives(). Dummy derivatives need one process.
  DummyDerivativeOptions dummy_derivatives = {DummyDerivativeOptions::worthwhile, {}};
  /// First component of the displacement, or -1 if no component is a displacement. The rigid_motions() of the
  /// displacement are the near null space of multigrid.
  Index first_displacement = 0;
};

/**
 * The system of a deal.II application after assembly,
 * @f[ M\ddot q + C\dot q + K q = f(t), \qquad q = T q_f + g, @f]
 * with the constraints of deal.II (hanging nodes, Dirichlet values, periodicity) as @f$T@f$ and @f$g@f$
 * (ConstraintRelations). Constrained DoFs are eliminated, and the artificial diagonal entries that deal.II
 * writes in their rows are ignored.
 *
 * Matrices assembled without constraints ("raw") are condensed by assembled_from_dealii(),
 * @f[ T^T M T\,\ddot q_f + T^T C T\,\dot q_f + T^T K T\,q_f = T^T (f - M\ddot g - C\dot g - K g). @f]
 * Matrices assembled by AffineConstraints::distribute_local_to_global are already T^T A T and are used
 * unchanged; the load must contain the term -T^T K g then (the overload of distribute_local_to_global for
 * matrix and vector adds this term). The form of the matrices is detected from their values, see find_form().
 * Inhomogeneities that depend on time need raw matrices, since condensed matrices do not contain the
 * couplings to g.
 *
 * Numbering: the numbering of the DoFHandler, followed by the new DoFs of attachments, multipliers of
 * constraints, internal DoFs of viscoelastic parts, and dummy derivatives. Objects are returned by
 * assembled_from_dealii(). An object is immutable and cheap to copy.
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
    std::vector<InternalDoFs> internal;  ///< internal DoFs of viscoelastic parts
    Index n_dummy;                       ///< number of dummy derivatives, which are the last DoFs
    VectorType zero;                     ///< a zero vector of the application without ghost entries
    std::vector<std::string> warnings;   ///< warnings about the matrices, see AssembledFromDealII::warnings()
  };

  AssembledFromDealII(SystemDescription<Engine> description, std::shared_ptr<const Origin> origin);

  /// The data of the application that are kept in addition to the system.
  const Origin& origin() const { return *origin_; }

  /// Returns a text for summaries, such as "condensed by halfdof: 12 constraints, 4 of them on DoFs that
  /// depend on other DoFs; 30 new DoFs".
  std::string describe_origin() const;

  /// Returns warnings about the given matrices as sentences, see warning_of_uncoupled_dofs(). The list may be
  /// empty.
  const std::vector<std::string>& warnings() const { return origin_->warnings; }

  /// Returns a load vector of the application on the local assembled DoFs, as needed for equilibrium() and
  /// HarmonicLoads. The load is condensed if the matrices are raw, and zero on new DoFs. Collective. @throws
  /// InvalidInput if the size differs
  Vector load_entries(const VectorType& load) const;

  /// Returns a field of the application for local assembled entries, for example for a mode shape.
  /// Constraints are distributed without their inhomogeneities.
  VectorType field(const Vector& assembled) const;

  /// Computes a field of the application from a result of lift(): as field(), plus the entries of constrained
  /// DoFs, which are the inhomogeneities. `field` keeps its ghost entries; an empty vector is initialized
  /// without ghost entries.
  void lift_into(VectorType& field, const Vector& assembled) const;

  /// Returns the entries of the DoFs of the application for a result of lift(), with the values of
  /// lift_into().
  Vector full_entries(const Vector& assembled) const;

  /// Returns the local assembled entries for displacements of the application. The entry of a constrained DoF
  /// is its displacement minus T q_f; new DoFs are zero, and internal DoFs are relaxed (see InternalDoFs).
  /// @throws InvalidInput if the size differs
  Vector displacement_entries(const VectorType& displacement) const;
  /// Returns the local assembled entries for rates of the application; the rates of internal DoFs are zero.
  Vector rate_entries(const VectorType& rate) const;

 private:
  Vector own_entries(const VectorType& given, const std::string& name) const;

  std::shared_ptr<const Origin> origin_;
};

/**
 * Converts the assembled matrices of an application to an AssembledSystem. The matrices are copied. A mass or
 * damping matrix that was never initialized counts as absent.
 *
 * Shapes: all matrices are square and have the size of the DoFHandler (or a larger size, see
 * labels_from_dealii()), and distributed matrices have the same distribution of rows; the constraints are
 * closed. Units: those of the application. The load is a vector or a function of time (DealIILoad).
 *
 * @throws InvalidInput if the stiffness matrix was never initialized, compress() was not called for a matrix,
 *     shapes differ, some matrices are condensed and others are not, constraints depend on time but the
 *     matrices are condensed, an attachment or a constraint of the options acts on a DoF that depends on
 *     other DoFs by constraints, or processes give different options
 */
template <class MatrixType>
AssembledFromDealII<MatrixType> assembled_from_dealii(
    const MatrixType& mass, const MatrixType& damping, const MatrixType& stiffness,
    const dealii::AffineConstraints<double>& constraints,
    const DealIILoad<typename DealIITraits<MatrixType>::VectorType>& load,
    const DealIIOptions<MatrixType>& options = {}, DoFLabels labels = {});

/// Converts the assembled matrices of an application, and adds labels and support points of a DoFHandler.
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

/// Converts the assembled matrices of an application, and adds labels and support points of a DoFHandler for
/// the linear mapping of the cells.
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
