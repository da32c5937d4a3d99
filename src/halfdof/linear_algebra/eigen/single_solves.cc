// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/single_solves.h>
#include <halfdof/linear_algebra/kernels/vector_units.h>

#include <complex>
#include <cstddef>

namespace halfdof::internal {

namespace {

/// Number of columns of L that are processed together, so that y is read and written once for all of these
/// columns.
constexpr Index group_size = 4;

constexpr int lanes = 8;
using Lane = Lanes<lanes>;

/// Number of entries of a column in one vector register.
template <class Scalar>
constexpr Index n_rows_of_lane = lanes * sizeof(double) / sizeof(Scalar);

/// A sum of columns of L times entries of x in a vector register, for some rows.
template <class Scalar>
struct ColumnSum;

template <>
struct ColumnSum<double> {
  Lane::Type sum = {};

  HALFDOF_INNER_LOOP void add(const Lane::Type& l, double x) { sum += l * x; }
  HALFDOF_INNER_LOOP void subtract_from(Lane::Type& y) const { y -= sum; }
};

template <>
struct ColumnSum<Complex> {
  Lane::Type by_real = {}, by_imaginary = {};

  HALFDOF_INNER_LOOP void add(const Lane::Type& l, const Complex& x) {
    by_real += l * x.real();
    by_imaginary += l * x.imag();
  }
  HALFDOF_INNER_LOOP void subtract_from(Lane::Type& y) const {
    Lane::Type times_i;
    Lane::multiply_by_i(by_imaginary, times_i);
    y -= by_real + times_i;
  }
};

/// The inner product of a column of L with y, as partial sums in the components of a vector register.
template <class Scalar>
struct RowSum;

template <>
struct RowSum<double> {
  Lane::Type sums = {};

  struct Rows {
    Lane::Type y;
    explicit HALFDOF_INNER_LOOP Rows(const double* from) { Lane::load(from, y); }
  };
  HALFDOF_INNER_LOOP void add(const Lane::Type& l, const Rows& rows) { sums += l * rows.y; }
  HALFDOF_INNER_LOOP double value() const {
    double sum = 0;
    HALFDOF_UNROLL
    for (int l = 0; l < lanes; ++l)
      sum += sums[l];
    return sum;
  }
};

template <>
struct RowSum<Complex> {
  /// Sums of real times real and imaginary times imaginary parts, and of real times imaginary parts.
  Lane::Type equal = {}, mixed = {};

  struct Rows {
    Lane::Type y, exchanged;
    explicit HALFDOF_INNER_LOOP Rows(const Complex* from) {
      Lane::load(reinterpret_cast<const double*>(from), y);
      exchange_parts(y, exchanged);
    }
  };
  HALFDOF_INNER_LOOP void add(const Lane::Type& l, const Rows& rows) {
    equal += l * rows.y;
    mixed += l * rows.exchanged;
  }
  HALFDOF_INNER_LOOP Complex value() const {
    double real = 0, imaginary = 0;
    HALFDOF_UNROLL
    for (int l = 0; l < lanes; l += 2) {
      real += equal[l] - equal[l + 1];
      imaginary += mixed[l] + mixed[l + 1];
    }
    return {real, imaginary};
  }
};

template <class Scalar>
HALFDOF_INNER_LOOP void load(const Scalar* from, Lane::Type& x) {
  Lane::load(reinterpret_cast<const double*>(from), x);
}

/// Returns the product l x. The complex product is faster than the product of std::complex, because it does
/// not treat infinities.
HALFDOF_INNER_LOOP double product(double l, double x) {
  return l * x;
}
HALFDOF_INNER_LOOP Complex product(const Complex& l, const Complex& x) {
  return {l.real() * x.real() - l.imag() * x.imag(), l.real() * x.imag() + l.imag() * x.real()};
}

/// Computes y -= B x for a matrix B of k columns.
template <class Scalar, int k>
HALFDOF_INNER_LOOP void update(Index n_rows, Panel<const Scalar> B, const Scalar* x, Scalar* y) {
  Index i = 0;
  for (; i + n_rows_of_lane<Scalar> <= n_rows; i += n_rows_of_lane<Scalar>) {
    ColumnSum<Scalar> sum;
    HALFDOF_UNROLL
    for (int q = 0; q < k; ++q) {
      const Scalar* const column = B.first + i + std::ptrdiff_t(q) * B.stride;
      __builtin_prefetch(column + std::ptrdiff_t(k) * B.stride);
      Lane::Type l;
      load(column, l);
      sum.add(l, x[q]);
    }
    Lane::Type rows;
    load(y + i, rows);
    sum.subtract_from(rows);
    Lane::store(rows, reinterpret_cast<double*>(y + i));
  }
  for (; i < n_rows; ++i) {
    Scalar rest = y[i];
    HALFDOF_UNROLL
    for (int q = 0; q < k; ++q)
      rest -= product(B.first[i + std::ptrdiff_t(q) * B.stride], x[q]);
    y[i] = rest;
  }
}

/// Computes sums += B^T y for a matrix B of k columns.
template <class Scalar, int k>
HALFDOF_INNER_LOOP void add_products(Index n_rows, Panel<const Scalar> B, const Scalar* y, Scalar* sums) {
  RowSum<Scalar> partial_sums[k];
  Index i = 0;
  for (; i + n_rows_of_lane<Scalar> <= n_rows; i += n_rows_of_lane<Scalar>) {
    const typename RowSum<Scalar>::Rows rows(y + i);
    HALFDOF_UNROLL
    for (int q = 0; q < k; ++q) {
      const Scalar* const column = B.first + i + std::ptrdiff_t(q) * B.stride;
      __builtin_prefetch(column - std::ptrdiff_t(k) * B.stride);
      Lane::Type l;
      load(column, l);
      partial_sums[q].add(l, rows);
    }
  }
  if (i > 0) {
    HALFDOF_UNROLL
    for (int q = 0; q < k; ++q)
      sums[q] += partial_sums[q].value();
  }
  for (; i < n_rows; ++i) {
    HALFDOF_UNROLL
    for (int q = 0; q < k; ++q)
      sums[q] += product(B.first[i + std::ptrdiff_t(q) * B.stride], y[i]);
  }
}

/// Computes the entries j ... j + k - 1 of the solution x of a forward substitution, and subtracts their
/// contributions from the entries below.
template <class Scalar, int k>
HALFDOF_INNER_LOOP void forward_columns(Index j, Index n, Index n_below, Panel<const Scalar> L, Scalar* x,
                                        Scalar* y) {
  const Scalar* const first = L.first + j + std::ptrdiff_t(j) * L.stride;
  Scalar solved[k];
  HALFDOF_UNROLL
  for (int q = 0; q < k; ++q) {
    Scalar rest = x[j + q];
    HALFDOF_UNROLL
    for (int p = 0; p < q; ++p)
      rest -= product(first[q + std::ptrdiff_t(p) * L.stride], solved[p]);
    solved[q] = x[j + q] = product(1. / first[q + std::ptrdiff_t(q) * L.stride], rest);
  }
  update<Scalar, k>(n - j - k, {first + k, L.stride}, solved, x + j + k);
  update<Scalar, k>(n_below, {first + (n - j), L.stride}, solved, y);
}

/// Computes the entries j ... j + k - 1 of the solution x of a backward substitution from the entries below.
template <class Scalar, int k>
HALFDOF_INNER_LOOP void backward_columns(Index j, Index n, Index n_below, Panel<const Scalar> L, Scalar* x,
                                         const Scalar* y) {
  const Scalar* const first = L.first + j + std::ptrdiff_t(j) * L.stride;
  Scalar sums[k] = {};
  add_products<Scalar, k>(n_below, {first + (n - j), L.stride}, y, sums);
  add_products<Scalar, k>(n - j - k, {first + k, L.stride}, x + j + k, sums);
  HALFDOF_UNROLL
  for (int q = k - 1; q >= 0; --q) {
    Scalar rest = x[j + q] - sums[q];
    HALFDOF_UNROLL
    for (int p = q + 1; p < k; ++p)
      rest -= product(first[p + std::ptrdiff_t(q) * L.stride], x[j + p]);
    x[j + q] = product(1. / first[q + std::ptrdiff_t(q) * L.stride], rest);
  }
}

template <class Scalar>
HALFDOF_INNER_LOOP void forward(Index n, Index n_below, Panel<const Scalar> L, Scalar* x, Scalar* y) {
  Index j = 0;
  for (; j + group_size <= n; j += group_size)
    forward_columns<Scalar, group_size>(j, n, n_below, L, x, y);
  for (; j < n; ++j)
    forward_columns<Scalar, 1>(j, n, n_below, L, x, y);
}

template <class Scalar>
HALFDOF_INNER_LOOP void backward(Index n, Index n_below, Panel<const Scalar> L, Scalar* x, const Scalar* y) {
  Index j = n;
  for (; j % group_size != 0; --j)
    backward_columns<Scalar, 1>(j - 1, n, n_below, L, x, y);
  for (; j > 0; j -= group_size)
    backward_columns<Scalar, group_size>(j - group_size, n, n_below, L, x, y);
}

// The attribute HALFDOF_FOR_EACH_PROCESSOR is possible only for functions that are not templates.

HALFDOF_FOR_EACH_PROCESSOR void solve_forward(Index n, Index n_below, Panel<const double> L, double* x,
                                              double* y) {
  forward(n, n_below, L, x, y);
}
HALFDOF_FOR_EACH_PROCESSOR void solve_forward(Index n, Index n_below, Panel<const Complex> L, Complex* x,
                                              Complex* y) {
  forward(n, n_below, L, x, y);
}
HALFDOF_FOR_EACH_PROCESSOR void solve_backward(Index n, Index n_below, Panel<const double> L, double* x,
                                               const double* y) {
  backward(n, n_below, L, x, y);
}
HALFDOF_FOR_EACH_PROCESSOR void solve_backward(Index n, Index n_below, Panel<const Complex> L, Complex* x,
                                               const Complex* y) {
  backward(n, n_below, L, x, y);
}

}  // namespace

template <class Scalar>
void single_forward(Index n, Index n_below, Panel<const Scalar> L, Scalar* x, Scalar* y) {
  solve_forward(n, n_below, L, x, y);
}

template <class Scalar>
void single_backward(Index n, Index n_below, Panel<const Scalar> L, Scalar* x, const Scalar* y) {
  solve_backward(n, n_below, L, x, y);
}

template void single_forward(Index, Index, Panel<const double>, double*, double*);
template void single_forward(Index, Index, Panel<const Complex>, Complex*, Complex*);
template void single_backward(Index, Index, Panel<const double>, double*, const double*);
template void single_backward(Index, Index, Panel<const Complex>, Complex*, const Complex*);

}  // namespace halfdof::internal
