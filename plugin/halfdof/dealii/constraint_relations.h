// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/dealii/traits.h>

#include <deal.II/lac/affine_constraints.h>

#include <functional>
#include <string>
#include <vector>

namespace halfdof {

/// Whether matrices were assembled with or without the constraints.
enum class MatrixForm {
  detect,    ///< unknown; the form is determined from the values, and contradictions are refused
  raw,       ///< assembled without constraints: rows of constrained DoFs contain their couplings
  condensed  ///< assembled by AffineConstraints::distribute_local_to_global
};

const char* name_of(MatrixForm form);

/**
 * Constraints with inhomogeneities that depend on time. Each function returns the closed AffineConstraints
 * at a time, with the same constrained lines as in the assembly. The inhomogeneities are the prescribed
 * displacements q_D(t) or one of their derivatives. The functions that the model needs must be given (see
 * PrescribedMotion).
 */
struct MovingConstraints {
  using Function = std::function<dealii::AffineConstraints<double>(double time)>;

  Function value;         ///< constraints with the inhomogeneities q_D(t)
  Function rate;          ///< constraints with the inhomogeneities q_D'(t)
  Function acceleration;  ///< constraints with the inhomogeneities q_D''(t)
  Function jerk = {};     ///< constraints with the inhomogeneities q_D'''(t)
};

/**
 * The constraints of deal.II, @f$ q_i = \sum_j w_{ij} q_j + g_i @f$ for each constrained DoF i, in matrix
 * form
 * @f[ q = T q_f + g, @f]
 * where q_f are the displacements of free DoFs. Column j of T is zero for a constrained DoF j, so that T can
 * be applied to vectors of all DoFs. Numbering: local assembled DoFs. T does not change with time;
 * inhomogeneities(constraints) returns g at other times.
 */
template <class Engine>
class ConstraintRelations {
 public:
  using Matrix = typename Engine::Matrix;

  /// @throws InvalidInput if the constraints are not closed, or do not store the lines of all DoFs of this
  ///     process
  ConstraintRelations(const dealii::AffineConstraints<double>& constraints, const Partition& dofs);

  /// Local indices of constrained DoFs, ascending.
  const std::vector<Index>& constrained() const { return constrained_; }
  /// The matrix T.
  const Matrix& T() const { return T_; }
  /// Local indices of constrained DoFs that depend on other DoFs (hanging nodes, periodicity, rigid links).
  const std::vector<Index>& following() const { return following_; }
  /// Number of constrained DoFs of all processes.
  GlobalIndex n_constrained() const { return n_constrained_; }
  /// Number of constrained DoFs of all processes that depend on other DoFs.
  GlobalIndex n_following() const { return n_following_; }

  /// Whether some entry of g is not zero on any process.
  bool inhomogeneous() const { return inhomogeneous_; }
  /// Values of g on the DoFs constrained().
  const Vector& inhomogeneities() const { return inhomogeneities_; }
  /// Returns g of the DoFs constrained(), from constraints with the same lines. @throws InvalidInput if the
  /// lines differ
  Vector inhomogeneities(const dealii::AffineConstraints<double>& constraints) const;

  /// Returns T q, in which the entries of constrained DoFs are computed from the entries of free DoFs,
  /// without the inhomogeneities g.
  Vector distribute(const Vector& q) const;

  /**
   * Returns the condensed matrix @f$ \hat A = T^T A S @f$, where S is T plus a one on the diagonal of each
   * constrained DoF. The columns of free DoFs contain T^T A T, and the columns of constrained DoFs contain
   * T^T A, the coupling to g.
   */
  Matrix condensed(const Matrix& A) const;
  /// Returns the condensed load T^T f, in which loads on constrained DoFs are added to loads on the DoFs of
  /// their constraints.
  Vector condensed(const Vector& f) const;

 private:
  Partition dofs_;
  std::vector<Index> constrained_, following_;
  Vector inhomogeneities_;
  bool inhomogeneous_;
  GlobalIndex n_constrained_, n_following_;
  Matrix T_, S_;
};

/// A matrix of an application, with a name for messages.
struct GivenMatrix {
  std::string name;
  const OwnedRows* rows;
};

/**
 * Determines from the values of matrices whether they are raw or condensed. A matrix is raw if the row of a
 * constrained DoF has an entry in the column of another DoF. A matrix that couples free DoFs is condensed if
 * the row of a constrained DoF has only a diagonal entry (deal.II sets this entry to an artificial value). If
 * no matrix is decided and no constrained DoF depends on other DoFs, both forms are equal. Collective.
 * @throws InvalidInput if the matrices contradict each other or `requested`, or the values do not determine
 *     the form
 */
template <class Engine>
MatrixForm find_form(const std::vector<GivenMatrix>& matrices, const ConstraintRelations<Engine>& relations,
                     const Partition& dofs, MatrixForm requested);

}  // namespace halfdof
