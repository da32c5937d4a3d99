// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/approximate_inverse.h>
#include <halfdof/linear_algebra/trilinos/combination.h>

namespace halfdof::trilinos {

/**
 * A square matrix in which, on each process, the rows p with a positive diagonal precede the other rows r:
 * @f[ A = \begin{bmatrix} A_{pp} & A_{pr} \\ A_{rp} & A_{rr} \end{bmatrix}. @f]
 * With electric potentials, K and every @f$\sigma^2 M + \sigma C + K@f$ are symmetric quasi-definite: both
 * @f$A_{pp}@f$ and @f$-A_{rr}@f$ are positive definite and elliptic, which A as a whole is not; with
 * pressures or multipliers @f$A_{rr}@f$ may vanish. Only the blocks are stored; products use them, too.
 *
 * Rows and columns of A have the same owners in the same order. Collective.
 */
class SplitMatrix {
 public:
  SplitMatrix(const Combination<double>& A, bool is_symmetric);

  const Partition& rows() const { return rows_; }
  bool is_symmetric() const { return is_symmetric_; }
  bool has_one_block() const { return rest_.n_global() == 0; }

  /// Reorder vectors from the order of A to that of the blocks, and back. Shapes: local rows x k.
  MultiVector ordered(ConstView<double> b) const;
  MultiVector unordered(ConstView<double> x) const;

  /// Returns A x in the order of the blocks.
  MultiVector product(ConstView<double> x) const;
  /// Returns |A| x in the order of the blocks, for x >= 0.
  Vector bound_of_product(const Vector& x) const;

  /**
   * Returns the preconditioner (in the order of the blocks)
   * @f[ \begin{bmatrix} A_{pp} & \\ A_{rp} & -S \end{bmatrix}^{-1}, \qquad
   *     S = -A_{rr} + A_{rp}\,\mathrm{diag}(A_{pp})^{-1} A_{pr}, @f]
   * with approximate inverses of @f$A_{pp}@f$ and S (Murphy, Golub and Wathen 2000); the second term of S is
   * omitted if the first one is larger in all rows. The result is empty if a diagonal entry of S is not
   * positive.
   *
   * @param near_null_space See approximate_inverse(); in the order of A
   */
  ApproximateInverse block_inverse(const MultiVector& near_null_space) const;

 private:
  TrilinosMatrix schur_complement() const;

  Partition rows_;
  bool is_symmetric_ = true;
  Selection positive_, rest_;
  TrilinosMatrix A_pp_, A_rp_, A_rr_;
  TrilinosMatrix A_pr_;  ///< for unsymmetric matrices only
};

}  // namespace halfdof::trilinos
