// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <cstdint>
#include <vector>

namespace halfdof::internal {

/// A sparse triangular matrix that is stored line by line: by the rows of a lower triangular matrix, or by
/// the columns of an upper triangular matrix. Each line ends with its diagonal entry.
template <class Scalar>
struct TriangularLines {
  std::vector<std::int64_t> starts;
  std::vector<Index> positions;
  std::vector<Scalar> values;
};

/**
 * The factors of @f$ P R A Q = L U @f$, with permutations P and Q and a diagonal R, and solves for several
 * right-hand sides. Each entry of L and U is read once for eight right-hand sides.
 */
template <class Scalar>
class TriangularBatch {
 public:
  TriangularLines<Scalar> L;                     ///< stored by rows
  TriangularLines<Scalar> U;                     ///< stored by columns
  std::vector<std::int64_t> row_permutation;     ///< row k of P R A is row row_permutation[k] of R A
  std::vector<std::int64_t> column_permutation;  ///< column k of A Q is column column_permutation[k] of A
  Vector row_divisors;                           ///< the diagonal of R^{-1}

  /// Returns x = Q U^{-1} L^{-1} P R b.
  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const;
  /// Returns x = R P^T L^{-T} U^{-T} Q^T b.
  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const;

  /// Returns z = L^{-1} P R b.
  DenseMatrix<Scalar> forward(ConstView<Scalar> b) const;
  /// Returns x = Q U^{-1} z.
  DenseMatrix<Scalar> backward(ConstView<Scalar> z) const;
  /// Returns g = U^{-T} Q^T h.
  DenseMatrix<Scalar> transposed_backward(ConstView<Scalar> h) const;
};

}  // namespace halfdof::internal
