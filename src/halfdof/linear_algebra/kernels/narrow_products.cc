// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/kernels/narrow_products.h>
#include <halfdof/linear_algebra/kernels/vector_units.h>

#include <cassert>
#include <cstddef>

namespace halfdof::internal {

namespace {

constexpr int lanes = 8;
using Lane = Lanes<lanes>;

/// A dense matrix that is stored column by column: the address of its first entry, and the distance of
/// neighbouring columns.
template <class Scalar>
struct ColumnMajorView {
  Scalar* first;
  std::ptrdiff_t stride;

  HALFDOF_INNER_LOOP Scalar* at(std::ptrdiff_t row, std::ptrdiff_t column) const {
    return first + row + column * stride;
  }
};

/// The size of the wide block X.
struct BlockSize {
  std::ptrdiff_t n_rows, n_columns;
};

/// Adds the products of the columns j ... j + group_size - 1 of X with Y to the same rows of P += X^T Y.
template <int k, int group_size>
HALFDOF_INNER_LOOP void add_products(std::ptrdiff_t j, std::ptrdiff_t n_rows, ColumnMajorView<const double> X,
                                     ColumnMajorView<const double> Y, ColumnMajorView<double> P) {
  Lane::Type sums[group_size][k] = {};
  std::ptrdiff_t i = 0;
  for (; i + lanes <= n_rows; i += lanes) {
    Lane::Type y[k];
    HALFDOF_UNROLL
    for (int c = 0; c < k; ++c)
      Lane::load(Y.at(i, c), y[c]);
    HALFDOF_UNROLL
    for (int q = 0; q < group_size; ++q) {
      Lane::Type x;
      Lane::load(X.at(i, j + q), x);
      HALFDOF_UNROLL
      for (int c = 0; c < k; ++c)
        sums[q][c] += x * y[c];
    }
  }
  HALFDOF_UNROLL
  for (int q = 0; q < group_size; ++q) {
    HALFDOF_UNROLL
    for (int c = 0; c < k; ++c) {
      double sum = 0;
      for (int l = 0; l < lanes; ++l)
        sum += sums[q][c][l];
      for (std::ptrdiff_t rest = i; rest < n_rows; ++rest)
        sum += *X.at(rest, j + q) * *Y.at(rest, c);
      *P.at(j + q, c) += sum;
    }
  }
}

/// Subtracts the part of X C that belongs to the columns j ... j + group_size - 1 of X from Y.
template <int k, int group_size>
HALFDOF_INNER_LOOP void subtract_columns(std::ptrdiff_t j, std::ptrdiff_t n_rows,
                                         ColumnMajorView<const double> X, ColumnMajorView<const double> C,
                                         ColumnMajorView<double> Y) {
  std::ptrdiff_t i = 0;
  for (; i + lanes <= n_rows; i += lanes) {
    Lane::Type x[group_size];
    HALFDOF_UNROLL
    for (int q = 0; q < group_size; ++q)
      Lane::load(X.at(i, j + q), x[q]);
    HALFDOF_UNROLL
    for (int c = 0; c < k; ++c) {
      Lane::Type y;
      Lane::load(Y.at(i, c), y);
      HALFDOF_UNROLL
      for (int q = 0; q < group_size; ++q)
        y -= *C.at(j + q, c) * x[q];
      Lane::store(y, Y.at(i, c));
    }
  }
  for (; i < n_rows; ++i)
    for (int c = 0; c < k; ++c)
      for (int q = 0; q < group_size; ++q)
        *Y.at(i, c) -= *C.at(j + q, c) * *X.at(i, j + q);
}

constexpr int group_size = 4;

/// Computes P += X^T Y for blocks Y of k columns, for groups of columns of X.
template <int k>
HALFDOF_INNER_LOOP void add_products_by_groups(const BlockSize& size, ColumnMajorView<const double> X,
                                               ColumnMajorView<const double> Y, ColumnMajorView<double> P) {
  std::ptrdiff_t j = 0;
  for (; j + group_size <= size.n_columns; j += group_size)
    add_products<k, group_size>(j, size.n_rows, X, Y, P);
  for (; j < size.n_columns; ++j)
    add_products<k, 1>(j, size.n_rows, X, Y, P);
}

/// Computes Y -= X C for blocks Y of k columns, for groups of columns of X.
template <int k>
HALFDOF_INNER_LOOP void subtract_columns_by_groups(const BlockSize& size, ColumnMajorView<const double> X,
                                                   ColumnMajorView<const double> C,
                                                   ColumnMajorView<double> Y) {
  std::ptrdiff_t j = 0;
  for (; j + group_size <= size.n_columns; j += group_size)
    subtract_columns<k, group_size>(j, size.n_rows, X, C, Y);
  for (; j < size.n_columns; ++j)
    subtract_columns<k, 1>(j, size.n_rows, X, C, Y);
}

HALFDOF_FOR_EACH_PROCESSOR void add_products(int k, const BlockSize& size, ColumnMajorView<const double> X,
                                             ColumnMajorView<const double> Y, ColumnMajorView<double> P) {
  switch (k) {
    case 1:
      return add_products_by_groups<1>(size, X, Y, P);
    case 2:
      return add_products_by_groups<2>(size, X, Y, P);
    case 3:
      return add_products_by_groups<3>(size, X, Y, P);
    default:
      return add_products_by_groups<4>(size, X, Y, P);
  }
}

HALFDOF_FOR_EACH_PROCESSOR void subtract_combination(int k, const BlockSize& size,
                                                     ColumnMajorView<const double> X,
                                                     ColumnMajorView<const double> C,
                                                     ColumnMajorView<double> Y) {
  switch (k) {
    case 1:
      return subtract_columns_by_groups<1>(size, X, C, Y);
    case 2:
      return subtract_columns_by_groups<2>(size, X, C, Y);
    case 3:
      return subtract_columns_by_groups<3>(size, X, C, Y);
    default:
      return subtract_columns_by_groups<4>(size, X, C, Y);
  }
}

}  // namespace

void add_narrow_products(ConstView<double> X, ConstView<double> Y, View<double> P) {
  assert(Y.cols() <= max_narrow_columns && Y.rows() == X.rows() && P.rows() == X.cols() &&
         P.cols() == Y.cols());
  add_products(static_cast<int>(Y.cols()), {X.rows(), X.cols()}, {X.data(), X.outerStride()},
               {Y.data(), Y.outerStride()}, {P.data(), P.outerStride()});
}

void subtract_narrow_combination(ConstView<double> X, ConstView<double> C, View<double> Y) {
  assert(Y.cols() <= max_narrow_columns && Y.rows() == X.rows() && C.rows() == X.cols() &&
         C.cols() == Y.cols());
  subtract_combination(static_cast<int>(Y.cols()), {X.rows(), X.cols()}, {X.data(), X.outerStride()},
                       {C.data(), C.outerStride()}, {Y.data(), Y.outerStride()});
}

}  // namespace halfdof::internal
