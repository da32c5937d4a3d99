#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

/**
 * @file
 * What reads all entries of a sparse matrix, at the speed of memory: products with one or a few vectors, sums
 * of magnitudes. Scalar is double or Complex.
 */
namespace halfdof {

/// A matrix in compressed columns: those of entries starts[j] to starts[j + 1].
struct CompressedColumns {
  Index n_columns;
  const Index* starts;
  const Index* rows;
  const double* values;
};

inline CompressedColumns columns_of(const Eigen::SparseMatrix<double>& A) {
  return {static_cast<Index>(A.outerSize()), A.outerIndexPtr(), A.innerIndexPtr(), A.valuePtr()};
}

/// y += alpha A x. Shapes: x n_columns, y n_rows; they may not overlap, as nowhere here.
template <class Scalar>
void add_product(const CompressedColumns& A, Scalar alpha, const Scalar* x, Scalar* y);

/// y += alpha A^T x. Shapes: x n_rows, y n_columns.
template <class Scalar>
void add_transposed_product(const CompressedColumns& A, Scalar alpha, const Scalar* x, Scalar* y);

/// Several vectors lie line by line: so many doubles to a line.
constexpr Index line_doubles = 8;

/// Y += A X. Shapes: X n_columns lines, Y n_rows lines.
void add_line_product(const CompressedColumns& A, const double* X, double* Y);

/// Y = A^T X. Shapes: X n_rows lines, Y n_columns lines.
void transposed_line_product(const CompressedColumns& A, const double* X, double* Y);

/// sums[j] = sum_i |a_ij|. Shapes: sums n_columns.
void sum_magnitudes(const CompressedColumns& A, double* sums);

/// The same of one column with each row times its weight, 0 or 1; an infinity in a row of weight 0 is none of
/// the sum. Shapes: weights n_rows.
double weighted_magnitudes(const CompressedColumns& A, Index column, const double* weights);

}  // namespace halfdof
