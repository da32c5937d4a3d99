// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/narrow_solves.h>
#include <halfdof/linear_algebra/kernels/vector_units.h>

#include <cassert>
#include <complex>
#include <cstddef>

namespace halfdof::internal {

namespace {

/// Number of columns of L that are processed together, so that a row of Y is read and written once for all of
/// these columns.
constexpr Index group_size = 4;

template <class Scalar>
constexpr int n_parts = sizeof(Scalar) / sizeof(double);

/// Loads row i of X; the real and imaginary parts of complex numbers alternate.
template <class Scalar, int lanes>
HALFDOF_INNER_LOOP void load_row(const Scalar* X, std::ptrdiff_t i, typename Lanes<lanes>::Type& row) {
  Lanes<lanes>::load(reinterpret_cast<const double*>(X) + i * lanes, row);
}
template <class Scalar, int lanes>
HALFDOF_INNER_LOOP void store_row(const typename Lanes<lanes>::Type& row, Scalar* X, std::ptrdiff_t i) {
  Lanes<lanes>::store(row, reinterpret_cast<double*>(X) + i * lanes);
}

/// A row x of X in vector registers, which is multiplied by entries l of L. For complex numbers, i x is
/// stored, too.
template <class Scalar, int lanes>
struct SolutionRow;

template <int lanes>
struct SolutionRow<double, lanes> {
  using Vector = typename Lanes<lanes>::Type;
  Vector x = {};

  HALFDOF_INNER_LOOP void set(const Vector& value) { x = value; }
  /// Computes y -= l x.
  HALFDOF_INNER_LOOP void subtract(double l, Vector& y) const { y -= l * x; }
  /// Computes x *= l.
  HALFDOF_INNER_LOOP void multiply(double l) { x *= l; }
};

template <int lanes>
struct SolutionRow<Complex, lanes> {
  using Vector = typename Lanes<lanes>::Type;
  Vector x = {}, ix = {};

  HALFDOF_INNER_LOOP void set(const Vector& value) {
    x = value;
    Lanes<lanes>::multiply_by_i(x, ix);
  }
  HALFDOF_INNER_LOOP void subtract(const Complex& l, Vector& y) const {
    y -= l.real() * x;
    y -= l.imag() * ix;
  }
  HALFDOF_INNER_LOOP void multiply(const Complex& l) {
    x = l.real() * x + l.imag() * ix;
    Lanes<lanes>::multiply_by_i(x, ix);
  }
};

/// A sum of rows of X times entries of L in vector registers.
template <class Scalar, int lanes>
struct RowSum;

template <int lanes>
struct RowSum<double, lanes> {
  using Vector = typename Lanes<lanes>::Type;
  Vector sum = {};

  HALFDOF_INNER_LOOP void add(double l, const Vector& x) { sum += l * x; }
  /// Computes y -= sum.
  HALFDOF_INNER_LOOP void subtract_from(Vector& y) const { y -= sum; }
};

template <int lanes>
struct RowSum<Complex, lanes> {
  using Vector = typename Lanes<lanes>::Type;
  Vector by_real = {}, by_imaginary = {};

  HALFDOF_INNER_LOOP void add(const Complex& l, const Vector& x) {
    by_real += l.real() * x;
    by_imaginary += l.imag() * x;
  }
  HALFDOF_INNER_LOOP void subtract_from(Vector& y) const {
    Vector times_i;
    Lanes<lanes>::multiply_by_i(by_imaginary, times_i);
    y -= by_real + times_i;
  }
};

/// Computes Y -= B X for a matrix B of k columns.
template <class Scalar, int lanes, int k>
HALFDOF_INNER_LOOP void update_rows(Index n_rows, Panel<const Scalar> B, const SolutionRow<Scalar, lanes>* X,
                                    Scalar* Y) {
  for (Index i = 0; i < n_rows; ++i) {
    __builtin_prefetch(B.first + i + std::ptrdiff_t(k + i % k) * B.stride);
    typename Lanes<lanes>::Type y;
    load_row<Scalar, lanes>(Y, i, y);
    HALFDOF_UNROLL
    for (int q = 0; q < k; ++q)
      X[q].subtract(B.first[i + std::ptrdiff_t(q) * B.stride], y);
    store_row<Scalar, lanes>(y, Y, i);
  }
}

/// Computes the rows j ... j + k - 1 of the solution X of a forward substitution, and subtracts their
/// contributions from the rows below.
template <class Scalar, int lanes, int k>
HALFDOF_INNER_LOOP void forward_columns(Index j, Index n, Index n_below, Panel<const Scalar> L, Scalar* X,
                                        Scalar* Y) {
  const Scalar* const first = L.first + j + std::ptrdiff_t(j) * L.stride;
  SolutionRow<Scalar, lanes> x[k];
  HALFDOF_UNROLL
  for (int q = 0; q < k; ++q) {
    typename Lanes<lanes>::Type y;
    load_row<Scalar, lanes>(X, j + q, y);
    HALFDOF_UNROLL
    for (int p = 0; p < q; ++p)
      x[p].subtract(first[q + std::ptrdiff_t(p) * L.stride], y);
    x[q].set(y);
    x[q].multiply(1. / first[q + std::ptrdiff_t(q) * L.stride]);
    store_row<Scalar, lanes>(x[q].x, X, j + q);
  }
  update_rows<Scalar, lanes, k>(n - j - k, {first + k, L.stride}, x,
                                X + std::ptrdiff_t(j + k) * lanes / n_parts<Scalar>);
  update_rows<Scalar, lanes, k>(n_below, {first + (n - j), L.stride}, x, Y);
}

/// Computes sums += B^T Y for a matrix B of k columns.
template <class Scalar, int lanes, int k>
HALFDOF_INNER_LOOP void add_products(Index n_rows, Panel<const Scalar> B, const Scalar* Y,
                                     RowSum<Scalar, lanes>* sums) {
  for (Index i = 0; i < n_rows; ++i) {
    __builtin_prefetch(B.first + i - std::ptrdiff_t(k - i % k) * B.stride);
    typename Lanes<lanes>::Type y;
    load_row<Scalar, lanes>(Y, i, y);
    HALFDOF_UNROLL
    for (int q = 0; q < k; ++q)
      sums[q].add(B.first[i + std::ptrdiff_t(q) * B.stride], y);
  }
}

/// Computes the rows j ... j + k - 1 of the solution X of a backward substitution from the rows below.
template <class Scalar, int lanes, int k>
HALFDOF_INNER_LOOP void backward_columns(Index j, Index n, Index n_below, Panel<const Scalar> L, Scalar* X,
                                         const Scalar* Y) {
  const Scalar* const first = L.first + j + std::ptrdiff_t(j) * L.stride;
  RowSum<Scalar, lanes> sums[k];
  add_products<Scalar, lanes, k>(n_below, {first + (n - j), L.stride}, Y, sums);
  add_products<Scalar, lanes, k>(n - j - k, {first + k, L.stride},
                                 X + std::ptrdiff_t(j + k) * lanes / n_parts<Scalar>, sums);
  SolutionRow<Scalar, lanes> x[k];
  HALFDOF_UNROLL
  for (int q = k - 1; q >= 0; --q) {
    typename Lanes<lanes>::Type y;
    load_row<Scalar, lanes>(X, j + q, y);
    sums[q].subtract_from(y);
    HALFDOF_UNROLL
    for (int p = q + 1; p < k; ++p)
      x[p].subtract(first[p + std::ptrdiff_t(q) * L.stride], y);
    x[q].set(y);
    x[q].multiply(1. / first[q + std::ptrdiff_t(q) * L.stride]);
    store_row<Scalar, lanes>(x[q].x, X, j + q);
  }
}

template <class Scalar, int lanes>
HALFDOF_INNER_LOOP void forward(Index n, Index n_below, Panel<const Scalar> L, Scalar* X, Scalar* Y) {
  Index j = 0;
  for (; j + group_size <= n; j += group_size)
    forward_columns<Scalar, lanes, group_size>(j, n, n_below, L, X, Y);
  for (; j < n; ++j)
    forward_columns<Scalar, lanes, 1>(j, n, n_below, L, X, Y);
}

template <class Scalar, int lanes>
HALFDOF_INNER_LOOP void backward(Index n, Index n_below, Panel<const Scalar> L, Scalar* X, const Scalar* Y) {
  Index j = n;
  for (; j % group_size != 0; --j)
    backward_columns<Scalar, lanes, 1>(j - 1, n, n_below, L, X, Y);
  for (; j > 0; j -= group_size)
    backward_columns<Scalar, lanes, group_size>(j - group_size, n, n_below, L, X, Y);
}

// The attribute HALFDOF_FOR_EACH_PROCESSOR is possible only for functions that are not templates.

HALFDOF_FOR_EACH_PROCESSOR void forward_4(Index n, Index n_below, Panel<const double> L, double* X,
                                          double* Y) {
  forward<double, 4>(n, n_below, L, X, Y);
}
HALFDOF_FOR_EACH_PROCESSOR void forward_8(Index n, Index n_below, Panel<const double> L, double* X,
                                          double* Y) {
  forward<double, 8>(n, n_below, L, X, Y);
}
HALFDOF_FOR_EACH_PROCESSOR void forward_4(Index n, Index n_below, Panel<const Complex> L, Complex* X,
                                          Complex* Y) {
  forward<Complex, 4>(n, n_below, L, X, Y);
}
HALFDOF_FOR_EACH_PROCESSOR void forward_8(Index n, Index n_below, Panel<const Complex> L, Complex* X,
                                          Complex* Y) {
  forward<Complex, 8>(n, n_below, L, X, Y);
}
HALFDOF_FOR_EACH_PROCESSOR void backward_4(Index n, Index n_below, Panel<const double> L, double* X,
                                           const double* Y) {
  backward<double, 4>(n, n_below, L, X, Y);
}
HALFDOF_FOR_EACH_PROCESSOR void backward_8(Index n, Index n_below, Panel<const double> L, double* X,
                                           const double* Y) {
  backward<double, 8>(n, n_below, L, X, Y);
}
HALFDOF_FOR_EACH_PROCESSOR void backward_4(Index n, Index n_below, Panel<const Complex> L, Complex* X,
                                           const Complex* Y) {
  backward<Complex, 4>(n, n_below, L, X, Y);
}
HALFDOF_FOR_EACH_PROCESSOR void backward_8(Index n, Index n_below, Panel<const Complex> L, Complex* X,
                                           const Complex* Y) {
  backward<Complex, 8>(n, n_below, L, X, Y);
}

}  // namespace

template <class Scalar>
void narrow_forward(Index width, Index n, Index n_below, Panel<const Scalar> L, Scalar* X, Scalar* Y) {
  assert(width == narrow_width<Scalar>(width) && width <= max_right_hand_sides<Scalar>);
  if (width * n_parts<Scalar> == 4)
    forward_4(n, n_below, L, X, Y);
  else
    forward_8(n, n_below, L, X, Y);
}

template <class Scalar>
void narrow_backward(Index width, Index n, Index n_below, Panel<const Scalar> L, Scalar* X, const Scalar* Y) {
  assert(width == narrow_width<Scalar>(width) && width <= max_right_hand_sides<Scalar>);
  if (width * n_parts<Scalar> == 4)
    backward_4(n, n_below, L, X, Y);
  else
    backward_8(n, n_below, L, X, Y);
}

template void narrow_forward(Index, Index, Index, Panel<const double>, double*, double*);
template void narrow_forward(Index, Index, Index, Panel<const Complex>, Complex*, Complex*);
template void narrow_backward(Index, Index, Index, Panel<const double>, double*, const double*);
template void narrow_backward(Index, Index, Index, Panel<const Complex>, Complex*, const Complex*);

}  // namespace halfdof::internal
