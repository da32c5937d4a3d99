// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/kernels/narrow_products.h>
#include <halfdof/linear_algebra/kernels/vector_units.h>

#include <cassert>
#include <cstddef>

namespace halfdof::internal {

namespace {

constexpr int lanes = 8;
using Lane = Lanes<lanes>;

/// A column-major matrix in memory.
template <class Scalar>
struct Columns {
  Scalar* first;
  std::ptrdiff_t stride;

  HALFDOF_INNER_LOOP Scalar* at(std::ptrdiff_t row, std::ptrdiff_t column) const {
    return first + row + column * stride;
  }
};

struct Sizes {
  std::ptrdiff_t n_rows, n_columns;
};

/// Adds to the rows j ... j + n_together - 1 of P.
template <int k, int n_together>
HALFDOF_INNER_LOOP void add_products(std::ptrdiff_t j, std::ptrdiff_t n_rows, Columns<const double> X,
                                     Columns<const double> Y, Columns<double> P) {
  Lane::Type sums[n_together][k] = {};
  std::ptrdiff_t i = 0;
  for (; i + lanes <= n_rows; i += lanes) {
    Lane::Type y[k];
    HALFDOF_UNROLL
    for (int c = 0; c < k; ++c)
      Lane::load(Y.at(i, c), y[c]);
    HALFDOF_UNROLL
    for (int q = 0; q < n_together; ++q) {
      Lane::Type x;
      Lane::load(X.at(i, j + q), x);
      HALFDOF_UNROLL
      for (int c = 0; c < k; ++c)
        sums[q][c] += x * y[c];
    }
  }
  HALFDOF_UNROLL
  for (int q = 0; q < n_together; ++q) {
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

/// Subtracts the contributions of the columns j ... j + n_together - 1 of X from Y.
template <int k, int n_together>
HALFDOF_INNER_LOOP void subtract_columns(std::ptrdiff_t j, std::ptrdiff_t n_rows, Columns<const double> X,
                                         Columns<const double> C, Columns<double> Y) {
  std::ptrdiff_t i = 0;
  for (; i + lanes <= n_rows; i += lanes) {
    Lane::Type x[n_together];
    HALFDOF_UNROLL
    for (int q = 0; q < n_together; ++q)
      Lane::load(X.at(i, j + q), x[q]);
    HALFDOF_UNROLL
    for (int c = 0; c < k; ++c) {
      Lane::Type y;
      Lane::load(Y.at(i, c), y);
      HALFDOF_UNROLL
      for (int q = 0; q < n_together; ++q)
        y -= *C.at(j + q, c) * x[q];
      Lane::store(y, Y.at(i, c));
    }
  }
  for (; i < n_rows; ++i)
    for (int c = 0; c < k; ++c)
      for (int q = 0; q < n_together; ++q)
        *Y.at(i, c) -= *C.at(j + q, c) * *X.at(i, j + q);
}

constexpr int n_together = 4;

template <int k>
HALFDOF_INNER_LOOP void products(const Sizes& sizes, Columns<const double> X, Columns<const double> Y,
                                 Columns<double> P) {
  std::ptrdiff_t j = 0;
  for (; j + n_together <= sizes.n_columns; j += n_together)
    add_products<k, n_together>(j, sizes.n_rows, X, Y, P);
  for (; j < sizes.n_columns; ++j)
    add_products<k, 1>(j, sizes.n_rows, X, Y, P);
}

template <int k>
HALFDOF_INNER_LOOP void combination(const Sizes& sizes, Columns<const double> X, Columns<const double> C,
                                    Columns<double> Y) {
  std::ptrdiff_t j = 0;
  for (; j + n_together <= sizes.n_columns; j += n_together)
    subtract_columns<k, n_together>(j, sizes.n_rows, X, C, Y);
  for (; j < sizes.n_columns; ++j)
    subtract_columns<k, 1>(j, sizes.n_rows, X, C, Y);
}

HALFDOF_FOR_EACH_PROCESSOR void add_products(int k, const Sizes& sizes, Columns<const double> X,
                                             Columns<const double> Y, Columns<double> P) {
  switch (k) {
    case 1:
      return products<1>(sizes, X, Y, P);
    case 2:
      return products<2>(sizes, X, Y, P);
    case 3:
      return products<3>(sizes, X, Y, P);
    default:
      return products<4>(sizes, X, Y, P);
  }
}

HALFDOF_FOR_EACH_PROCESSOR void subtract_combination(int k, const Sizes& sizes, Columns<const double> X,
                                                     Columns<const double> C, Columns<double> Y) {
  switch (k) {
    case 1:
      return combination<1>(sizes, X, C, Y);
    case 2:
      return combination<2>(sizes, X, C, Y);
    case 3:
      return combination<3>(sizes, X, C, Y);
    default:
      return combination<4>(sizes, X, C, Y);
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
