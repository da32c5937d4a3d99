// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/dealii/traits.h>

#include <deal.II/lac/affine_constraints.h>

#include <functional>
#include <string>
#include <vector>

namespace halfdof {

/// The form of the matrices: with or without the constraints.
enum class MatrixForm {
  detect,    ///< determine the form from the values; contradictions are refused
  raw,       ///< assembled without constraints: rows of constrained DoFs contain their couplings
  condensed  ///< assembled by AffineConstraints::distribute_local_to_global
};

const char* name_of(MatrixForm form);

/**
 * Constraints with inhomogeneities that depend on time: each function returns the closed AffineConstraints
 * at a time, with the same constrained lines as in the assembly, and with q_D or one of its derivatives as
 * inhomogeneities. The functions that the model needs must be given (see PrescribedMotion).
 */
struct MovingConstraints {
  using Function = std::function<dealii::AffineConstraints<double>(double time)>;

  Function value;         ///< returns q_D(t)
  Function rate;          ///< returns q_D'(t)
  Function acceleration;  ///< returns q_D''(t)
  Function jerk = {};     ///< returns q_D'''(t)
};

/**
 * The constraints of deal.II, @f$ q_i = \sum_j w_{ij} q_j + g_i @f$ for each constrained DoF i, as
 * @f[ q = T q_f + g. @f]
 * Column j of T is zero for a constrained DoF j, so that T can be applied to vectors of all DoFs. Numbering:
 * local assembled DoFs. T does not change with time; g at another time is returned by
 * inhomogeneities(constraints).
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
  const Matrix& T() const { return T_; }
  /// Constrained DoFs that follow others (hanging nodes, periodicity, rigid links).
  const std::vector<Index>& following() const { return following_; }
  GlobalIndex n_constrained() const { return n_constrained_; }
  GlobalIndex n_following() const { return n_following_; }

  /// Whether some g is not zero, on any process.
  bool inhomogeneous() const { return inhomogeneous_; }
  /// Values of g on the DoFs constrained().
  const Vector& inhomogeneities() const { return inhomogeneities_; }
  /// Returns g of the DoFs constrained(), from constraints with the same lines. @throws InvalidInput if the
  /// lines differ
  Vector inhomogeneities(const dealii::AffineConstraints<double>& constraints) const;

  /// Returns T q: entries of constrained DoFs follow from the others, without inhomogeneities.
  Vector distribute(const Vector& q) const;

  /**
   * Returns @f$ \hat A = T^T A S @f$, where S is T plus a one on the diagonal of each constrained DoF. It
   * contains T^T A T in the columns of the free DoFs, and T^T A, the coupling to g, in the columns of the
   * constrained ones.
   */
  Matrix condensed(const Matrix& A) const;
  /// Returns T^T f: loads on constrained DoFs are moved to the DoFs that they follow.
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
 * Determines from their values whether the matrices are raw or condensed. A row of a constrained DoF that
 * couples to another DoF is raw; a row with nothing but a diagonal, in a matrix that couples free DoFs, is
 * condensed (deal.II invents the diagonal). If there is no evidence and no constrained DoF follows others,
 * both forms are equal. Collective.
 * @throws InvalidInput if the matrices contradict each other or `wish`, or the values do not determine the
 *     form
 */
template <class Engine>
MatrixForm find_form(const std::vector<GivenMatrix>& matrices, const ConstraintRelations<Engine>& relations,
                     const Partition& dofs, MatrixForm wish);

}  // namespace halfdof
