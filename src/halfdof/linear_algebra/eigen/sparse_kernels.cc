// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/sparse_kernels.h>
#include <halfdof/linear_algebra/kernels/vector_units.h>

#include <cmath>
#include <cstddef>

namespace halfdof::internal {

namespace {

static_assert(line_doubles == 8);
using Line = Lanes<8>;

/// Distance between the entries that are read and the entries that are prefetched at the same time.
constexpr std::ptrdiff_t fetched_ahead = 896;

HALFDOF_INNER_LOOP void load_line(const double* X, Index i, EightDoubles& line) {
  Line::load(X + std::ptrdiff_t(line_doubles) * i, line);
}

/// Returns whether the matrix has so many entries that prefetching saves time.
bool is_worth_prefetching(const CompressedColumns& A) {
  return A.starts[A.n_columns] > fetched_ahead;
}

/// Prefetches as many entries of later columns as column j has, at the distance fetched_ahead.
HALFDOF_INNER_LOOP void prefetch_later_columns(const CompressedColumns& A, Index j) {
  for (Index k = A.starts[j]; k < A.starts[j + 1]; k += 8) {
    __builtin_prefetch(A.values + k + fetched_ahead);
    __builtin_prefetch(A.rows + k + fetched_ahead);
  }
}

}  // namespace

template <class Scalar>
void add_product(const CompressedColumns& A, Scalar alpha, const Scalar* x, Scalar* y) {
  const bool prefetches = is_worth_prefetching(A);
  for (Index j = 0; j < A.n_columns; ++j) {
    const Scalar x_j = alpha * x[j];
    if (prefetches) prefetch_later_columns(A, j);
    for (Index k = A.starts[j]; k < A.starts[j + 1]; ++k)
      y[A.rows[k]] += A.values[k] * x_j;
  }
}

/// Computes each entry from four independent partial sums, so that no addition has to wait for the previous
/// addition.
template <class Scalar>
void add_transposed_product(const CompressedColumns& A, Scalar alpha, const Scalar* x, Scalar* y) {
  const bool prefetches = is_worth_prefetching(A);
  for (Index j = 0; j < A.n_columns; ++j) {
    Scalar sums[4] = {};
    if (prefetches) prefetch_later_columns(A, j);
    Index k = A.starts[j];
    const Index end = A.starts[j + 1];
    for (; k + 4 <= end; k += 4) {
      HALFDOF_UNROLL
      for (Index i = 0; i < 4; ++i)
        sums[i] += A.values[k + i] * x[A.rows[k + i]];
    }
    for (; k < end; ++k)
      sums[0] += A.values[k] * x[A.rows[k]];
    y[j] += alpha * ((sums[0] + sums[1]) + (sums[2] + sums[3]));
  }
}

HALFDOF_FOR_EACH_PROCESSOR void add_line_product(const CompressedColumns& A, const double* X, double* Y) {
  for (Index j = 0; j < A.n_columns; ++j) {
    EightDoubles x;
    load_line(X, j, x);
    for (Index k = A.starts[j]; k < A.starts[j + 1]; ++k) {
      EightDoubles y;
      load_line(Y, A.rows[k], y);
      y += A.values[k] * x;
      Line::store(y, Y + std::ptrdiff_t(line_doubles) * A.rows[k]);
    }
  }
}

HALFDOF_FOR_EACH_PROCESSOR void transposed_line_product(const CompressedColumns& A, const double* X,
                                                        double* Y) {
  for (Index j = 0; j < A.n_columns; ++j) {
    EightDoubles even = {}, odd = {}, x;
    Index k = A.starts[j];
    const Index end = A.starts[j + 1];
    for (; k + 2 <= end; k += 2) {
      load_line(X, A.rows[k], x);
      even += A.values[k] * x;
      load_line(X, A.rows[k + 1], x);
      odd += A.values[k + 1] * x;
    }
    if (k < end) {
      load_line(X, A.rows[k], x);
      even += A.values[k] * x;
    }
    Line::store(even + odd, Y + std::ptrdiff_t(line_doubles) * j);
  }
}

HALFDOF_FOR_EACH_PROCESSOR void sum_magnitudes(const CompressedColumns& A, double* sums) {
  for (Index j = 0; j < A.n_columns; ++j) {
    EightDoubles even = {}, odd = {}, x;
    Index k = A.starts[j];
    const Index end = A.starts[j + 1];
    for (; k + 16 <= end; k += 16) {
      __builtin_prefetch(A.values + k + fetched_ahead);
      __builtin_prefetch(A.values + k + fetched_ahead + 8);
      Line::load(A.values + k, x);
      even += x < 0 ? -x : x;
      Line::load(A.values + k + 8, x);
      odd += x < 0 ? -x : x;
    }
    double rest = 0;
    for (; k < end; ++k)
      rest += std::abs(A.values[k]);
    even += odd;
    sums[j] =
        rest + (((even[0] + even[4]) + (even[1] + even[5])) + ((even[2] + even[6]) + (even[3] + even[7])));
  }
}

double weighted_magnitudes(const CompressedColumns& A, Index column, const double* weights) {
  const Index end = A.starts[column + 1];
  double sums[4] = {};
  Index k = A.starts[column];
  for (; k + 4 <= end; k += 4) {
    HALFDOF_UNROLL
    for (Index i = 0; i < 4; ++i)
      sums[i] += std::abs(A.values[k + i]) * weights[A.rows[k + i]];
  }
  for (; k < end; ++k)
    sums[0] += std::abs(A.values[k]) * weights[A.rows[k]];
  const double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if (!std::isnan(sum)) return sum;
  double selected = 0;
  for (k = A.starts[column]; k < end; ++k)
    if (weights[A.rows[k]] != 0) selected += std::abs(A.values[k]);
  return selected;
}

template void add_product(const CompressedColumns&, double, const double*, double*);
template void add_product(const CompressedColumns&, Complex, const Complex*, Complex*);
template void add_transposed_product(const CompressedColumns&, double, const double*, double*);
template void add_transposed_product(const CompressedColumns&, Complex, const Complex*, Complex*);

}  // namespace halfdof::internal
