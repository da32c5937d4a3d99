#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/dealii/traits.h>

#include <deal.II/lac/affine_constraints.h>

#include <functional>
#include <string>
#include <vector>

namespace halfdof {

/// How far the constraints are already worked into the matrices.
enum class MatrixForm {
  detect,    ///< look at the values; refuse what contradicts itself
  raw,       ///< assembled without constraints: constrained rows hold the couplings of their DoFs
  condensed  ///< assembled by AffineConstraints::distribute_local_to_global
};

const char* name_of(MatrixForm form);

/**
 * Constraints whose inhomogeneities move: each function makes the closed AffineConstraints at a time, with
 * the same constrained lines as those of the assembly and with q_D or one of its derivatives as
 * inhomogeneities. Those that the model needs must be given (see PrescribedMotion).
 */
struct MovingConstraints {
  using Function = std::function<dealii::AffineConstraints<double>(double time)>;

  Function value;         ///< with q_D(t)
  Function rate;          ///< with q_D'(t)
  Function acceleration;  ///< with q_D''(t)
  Function jerk = {};     ///< with q_D'''(t)
};

/**
 * The constraints of deal.II, @f$ q_i = \sum_j w_{ij} q_j + g_i @f$ on each constrained DoF i, as
 * @f[ q = T q_f + g. @f]
 * Column j of T is zero for a constrained DoF j, so that T may be applied to all DoFs. Numbering: local
 * assembled DoFs. Constant.
 */
template <class Engine>
class ConstraintRelations {
 public:
  using Matrix = typename Engine::Matrix;

  /// @throws InvalidInput if the constraints are not closed or do not know the DoFs of this process
  ConstraintRelations(const dealii::AffineConstraints<double>& constraints, const Partition& dofs);

  const std::vector<Index>& constrained() const { return constrained_; }  ///< ascending
  const Matrix& T() const { return T_; }
  /// Constrained DoFs that follow others (hanging nodes, periodicity, rigid links).
  const std::vector<Index>& following() const { return following_; }
  GlobalIndex n_constrained() const { return n_constrained_; }
  GlobalIndex n_following() const { return n_following_; }

  /// Whether some g is not zero, on any process.
  bool inhomogeneous() const { return inhomogeneous_; }
  /// g of constrained().
  const Vector& inhomogeneities() const { return inhomogeneities_; }
  /// g of constrained() from constraints with the same lines. @throws InvalidInput if the lines differ
  Vector inhomogeneities(const dealii::AffineConstraints<double>& constraints) const;

  /// T q: constrained entries from the others, inhomogeneities aside.
  Vector distribute(const Vector& q) const;

  /**
   * @f$ \hat A = T^T A S @f$, where S is T with a one on the diagonal of each constrained DoF: T^T A T on the
   * free DoFs, and T^T A in the columns of the constrained ones, where A couples to g.
   */
  Matrix condensed(const Matrix& A) const;
  /// T^T f: loads on constrained DoFs go to those that they follow.
  Vector condensed(const Vector& f) const;

 private:
  Partition dofs_;
  std::vector<Index> constrained_, following_;
  Vector inhomogeneities_;
  bool inhomogeneous_;
  GlobalIndex n_constrained_, n_following_;
  Matrix T_, S_;
};

/// A matrix as it came from deal.II.
struct GivenMatrix {
  std::string name;
  const OwnedRows* rows;
};

/**
 * Whether the matrices are raw or condensed, from their values: a row of a constrained DoF that couples to
 * another one is raw; one with nothing but a diagonal, in a matrix that does couple free DoFs, is condensed
 * (the diagonal was invented). Without any evidence and without following DoFs both mean the same.
 * Collective.
 * @throws InvalidInput if the matrices contradict each other or the wish, or nothing can be seen
 */
template <class Engine>
MatrixForm find_form(const std::vector<GivenMatrix>& matrices, const ConstraintRelations<Engine>& relations,
                     const Partition& dofs, MatrixForm wish);

}  // namespace halfdof
