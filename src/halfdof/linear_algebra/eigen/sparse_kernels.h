#pragma once

#include <halfdof/base/types.h>

/**
 * @file
 * What reads all entries of a sparse matrix, at the speed of memory: products with one or a few vectors, sums of
 * magnitudes. Scalar is double or Complex.
 */
namespace halfdof {

/// A matrix in compressed columns: those of entries starts[j] to starts[j + 1].
struct CompressedColumns {
  Index n_columns;
  const Index* starts;
  const Index* rows;
  const double* values;
};

/// y += alpha A x
template <class Scalar>
void add_product(const CompressedColumns& A, Scalar alpha, const Scalar* x, Scalar* y);

/// y += alpha A^T x
template <class Scalar>
void add_transposed_product(const CompressedColumns& A, Scalar alpha, const Scalar* x, Scalar* y);

/// Several vectors lie line by line: so many doubles to a line.
constexpr Index line_doubles = 8;

/// Y += A X, lines of doubles.
void add_line_product(const CompressedColumns& A, const double* X, double* Y);

/// Y = A^T X
void transposed_line_product(const CompressedColumns& A, const double* X, double* Y);

/// sums[j] = sum_i |a_ij|
void sum_magnitudes(const CompressedColumns& A, double* sums);

/// The same of one column with each row times its weight, 0 or 1; an infinity in a row of weight 0 is none of the sum.
double weighted_magnitudes(const CompressedColumns& A, Index column, const double* weights);

}  // namespace halfdof
