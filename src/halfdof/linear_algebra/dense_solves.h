#pragma once

#include <halfdof/linear_algebra/dense_decompositions.h>

#include <optional>
#include <vector>

/**
 * @file
 * Dense linear systems by LAPACK. Entries have to be finite.
 */
namespace halfdof {

/// A^{-1} B of a square A (dgesv, zgesv). Shapes: n x n, n x k. @throws SingularMatrix if a pivot is zero
MultiVector solve_dense(ConstView<double> A, ConstView<double> B);
ComplexMultiVector solve_dense(ConstView<Complex> A, ConstView<Complex> B);

/// A^{-1}; nothing if A is singular to rounding (dgetrf, dgecon, dgetri).
std::optional<MultiVector> inverse_of(MultiVector A);

/// Of a symmetric positive definite matrix an estimate of 1 / (|A| |A^{-1}|) in the 1-norm; 0 if it is not
/// definite (dpotrf, dpocon).
double reciprocal_condition_of_definite(MultiVector A);

/// As many columns of A as it has rank, the most independent first: by QR with column pivoting (dgeqp3).
/// @param threshold pivots up to this, relative to the largest, count as zero
std::vector<Index> independent_columns(MultiVector A, double threshold);

/// Orthonormal basis of the range of A, whose columns are independent (dgeqrf, dorgqr). Shape: as A.
MultiVector orthonormal_range(MultiVector A);

/**
 * Systems of any shape and rank, by the singular value decomposition @f$ A = U \Sigma V^T @f$; its rank is
 * the number of singular values above a threshold.
 */
class LeastSquares {
 public:
  LeastSquares() = default;
  /// @param threshold relative to the largest singular value; none: rounding
  explicit LeastSquares(ConstView<double> A, std::optional<double> threshold = {});

  Index rank() const { return rank_; }
  /// x of smallest norm that minimizes |A x - b|. Shapes: b as A has rows, k columns.
  MultiVector solve(ConstView<double> b) const;
  /// Orthonormal bases of A x = 0, and of A^T x = 0.
  MultiVector kernel() const;
  MultiVector left_kernel() const;

 private:
  SingularValueDecomposition svd_;
  Index rank_ = 0;
};

}  // namespace halfdof
