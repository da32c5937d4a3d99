// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/dense/dense_decompositions.h>

#include <optional>
#include <vector>

/**
 * @file
 * Solution of dense linear systems by LAPACK. All entries have to be finite.
 */
namespace halfdof::internal {

/// Returns A^{-1} B for a square A (dgesv, zgesv). Shapes: A n x n, B n x k. @throws SingularMatrix if a
/// pivot is zero
MultiVector solve_dense(ConstView<double> A, ConstView<double> B);
ComplexMultiVector solve_dense(ConstView<Complex> A, ConstView<Complex> B);

/// Returns the inverse of A (dgetrf, dgecon, dgetri); no value if A is singular to working precision.
std::optional<MultiVector> inverse_of(MultiVector A);

/// Estimates the reciprocal condition number 1 / (|A| |A^{-1}|) of a symmetric positive definite matrix in
/// the 1-norm (dpotrf, dpocon). The result is 0 if the matrix is not positive definite.
double reciprocal_condition_of_definite(MultiVector A);

/// Returns the numbers of linearly independent columns of A, as many as the rank of A, in the order in which
/// a QR factorization with column pivoting chooses them (dgeqp3).
/// @param threshold Pivots up to this number times the largest pivot count as zero
std::vector<Index> independent_columns(MultiVector A, double threshold);

/// Returns an orthonormal basis of the range of A by a QR factorization (dgeqrf, dorgqr). The columns of A
/// must be linearly independent. Shape: as A.
MultiVector orthonormal_range(MultiVector A);

/**
 * Least-squares solution of systems of any shape and rank by the singular value decomposition
 * @f$ A = U \Sigma V^T @f$; the rank of A is the number of singular values above a threshold.
 */
class LeastSquares {
 public:
  LeastSquares() = default;
  /// @param threshold Singular values up to this number times the largest one count as zero; by default
  ///   machine epsilon times the larger dimension of A
  explicit LeastSquares(ConstView<double> A, std::optional<double> threshold = {});

  Index rank() const { return rank_; }
  /// Returns the x of smallest norm that minimizes |A x - b|. Shapes: b A.rows() x k, x A.cols() x k.
  MultiVector solve(ConstView<double> b) const;
  /// Returns an orthonormal basis of the solutions of A x = 0.
  MultiVector kernel() const;
  /// Returns an orthonormal basis of the solutions of A^T x = 0.
  MultiVector left_kernel() const;

 private:
  SingularValueDecomposition svd_;
  Index rank_ = 0;
};

}  // namespace halfdof::internal
