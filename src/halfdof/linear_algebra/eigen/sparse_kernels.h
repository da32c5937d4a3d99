// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

/**
 * @file
 * Operations that read all entries of a sparse matrix once: products with one or a few vectors, and sums of
 * absolute values. The bandwidth of the memory limits their speed. Scalar is double or Complex. The arguments
 * of a function must not overlap in memory.
 */
namespace halfdof::internal {

/// A view of a sparse matrix in compressed columns: column j has the entries starts[j] to starts[j + 1] - 1.
struct CompressedColumns {
  Index n_columns;
  const Index* starts;
  const Index* rows;
  const double* values;
};

inline CompressedColumns columns_of(const Eigen::Map<const Eigen::SparseMatrix<double>>& A) {
  return {static_cast<Index>(A.outerSize()), A.outerIndexPtr(), A.innerIndexPtr(), A.valuePtr()};
}

/// Computes y += alpha A x. Shapes: x n_columns, y n_rows.
template <class Scalar>
void add_product(const CompressedColumns& A, Scalar alpha, const Scalar* x, Scalar* y);

/// Computes y += alpha A^T x. Shapes: x n_rows, y n_columns.
template <class Scalar>
void add_transposed_product(const CompressedColumns& A, Scalar alpha, const Scalar* x, Scalar* y);

/// Number of vectors that are stored together row by row: a line consists of the entries of eight vectors in
/// one row.
constexpr Index line_doubles = 8;

/// Computes Y += A X for eight vectors. Shapes: X n_columns lines, Y n_rows lines.
void add_line_product(const CompressedColumns& A, const double* X, double* Y);

/// Computes Y = A^T X for eight vectors. Shapes: X n_rows lines, Y n_columns lines.
void transposed_line_product(const CompressedColumns& A, const double* X, double* Y);

/// Computes the 1-norms of the columns, sums[j] = sum_i |a_ij|. Shape: sums n_columns.
void sum_magnitudes(const CompressedColumns& A, double* sums);

/// Returns the sum of the absolute values of the entries of one column in the rows with weight 1. Rows with
/// weight 0 are ignored even if an entry is infinite. Shape: weights n_rows.
double weighted_magnitudes(const CompressedColumns& A, Index column, const double* weights);

}  // namespace halfdof::internal
