// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/approximate_inverse.h>
#include <halfdof/linear_algebra/trilinos/combination.h>

namespace halfdof::trilinos {

/**
 * A square matrix that is stored in blocks. On each process, the rows p with a positive diagonal precede the
 * other rows r:
 * @f[ A = \begin{bmatrix} A_{pp} & A_{pr} \\ A_{rp} & A_{rr} \end{bmatrix}. @f]
 * If a model has electric potentials, K and every @f$\sigma^2 M + \sigma C + K@f$ with @f$\sigma > 0@f$ are
 * symmetric quasi-definite: @f$A_{pp}@f$ and @f$-A_{rr}@f$ are positive definite and elliptic, but A is not.
 * If it has pressures or multipliers, @f$A_{rr}@f$ may be zero.
 *
 * Rows and columns of A must have the same owners in the same order. Collective.
 */
class SplitMatrix {
 public:
  SplitMatrix(const LinearCombination<double>& A, bool is_symmetric);

  const Partition& rows() const { return rows_; }
  bool is_symmetric() const { return is_symmetric_; }
  bool has_one_block() const { return rest_.n_global() == 0; }

  /// Permutes vectors from the order of A to the order of the blocks. Shapes: local rows x k.
  MultiVector ordered(ConstView<double> b) const;
  /// Permutes vectors from the order of the blocks to the order of A. Shapes: local rows x k.
  MultiVector unordered(ConstView<double> x) const;

  /// Returns the product A x. Both vectors have the order of the blocks.
  MultiVector product(ConstView<double> x) const;
  /// Returns the product |A| x for a vector x without negative entries. Both vectors have the order of the
  /// blocks.
  Vector bound_of_product(const Vector& x) const;

  /**
   * Returns the block triangular preconditioner (in the order of the blocks)
   * @f[ \begin{bmatrix} A_{pp} & \\ A_{rp} & -S \end{bmatrix}^{-1}, \qquad
   *     S = -A_{rr} + A_{rp}\,\mathrm{diag}(A_{pp})^{-1} A_{pr}, @f]
   * where S approximates the negative Schur complement of A_pp, and the inverses of A_pp and S are
   * approximated by approximate_inverse() (Murphy, Golub and Wathen 2000). The second term of S is omitted if
   * its diagonal is nowhere larger than the diagonal of the first term. If a diagonal entry of S is not
   * positive, there is no preconditioner, and `apply` of the result is empty.
   *
   * @param near_null_space As for approximate_inverse(), in the order of A
   */
  ApproximateInverse block_inverse(const MultiVector& near_null_space) const;

 private:
  /// Returns the approximation S of the negative Schur complement.
  TrilinosMatrix schur_complement() const;

  Partition rows_;
  bool is_symmetric_ = true;
  Selection positive_, rest_;
  TrilinosMatrix A_pp_, A_rp_, A_rr_;
  TrilinosMatrix A_pr_;  ///< for unsymmetric matrices only
};

}  // namespace halfdof::trilinos
