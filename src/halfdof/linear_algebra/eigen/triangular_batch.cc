// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/triangular_batch.h>
#include <halfdof/linear_algebra/kernels/vector_units.h>

#include <algorithm>
#include <vector>

namespace halfdof::internal {

namespace {

constexpr int width = 8;  ///< number of right-hand sides in a block

using Permutation = std::vector<std::int64_t>;

/// One row of a block of right-hand sides in memory. Real and imaginary parts are stored separately, so that
/// complex arithmetic is vectorized over the right-hand sides.
template <class Scalar>
struct Row;

template <>
struct Row<double> {
  double values[width] = {};

  double get(Eigen::Index c) const { return values[c]; }
  void set(Eigen::Index c, double value) { values[c] = value; }
};

template <>
struct Row<Complex> {
  double real[width] = {}, imaginary[width] = {};

  Complex get(Eigen::Index c) const { return {real[c], imaginary[c]}; }
  void set(Eigen::Index c, Complex value) {
    real[c] = value.real();
    imaginary[c] = value.imag();
  }
};

template <class Scalar>
using Block = std::vector<Row<Scalar>>;

/// One row of a block of right-hand sides in vector registers.
template <class Scalar>
struct LoadedRow;

template <>
struct LoadedRow<double> {
  EightDoubles values;

  explicit HALFDOF_INNER_LOOP LoadedRow(const Row<double>& row) { Lanes<width>::load(row.values, values); }
  HALFDOF_INNER_LOOP void store(Row<double>& row) const { Lanes<width>::store(values, row.values); }
  /// Subtracts factor * x.
  HALFDOF_INNER_LOOP void subtract(double factor, const LoadedRow& x) { values -= factor * x.values; }
  HALFDOF_INNER_LOOP void divide_by(double divisor) { values /= divisor; }
};

template <>
struct LoadedRow<Complex> {
  EightDoubles real, imaginary;

  explicit HALFDOF_INNER_LOOP LoadedRow(const Row<Complex>& row) {
    Lanes<width>::load(row.real, real);
    Lanes<width>::load(row.imaginary, imaginary);
  }
  HALFDOF_INNER_LOOP void store(Row<Complex>& row) const {
    Lanes<width>::store(real, row.real);
    Lanes<width>::store(imaginary, row.imaginary);
  }
  HALFDOF_INNER_LOOP void subtract(const Complex& factor, const LoadedRow& x) {
    real -= factor.real() * x.real - factor.imag() * x.imaginary;
    imaginary -= factor.real() * x.imaginary + factor.imag() * x.real;
  }
  HALFDOF_INNER_LOOP void divide_by(const Complex& divisor) {
    const Complex factor = 1. / divisor;
    const EightDoubles product = factor.real() * real - factor.imag() * imaginary;
    imaginary = factor.real() * imaginary + factor.imag() * real;
    real = product;
  }
};

/// Solves a triangular system from the first row to the last one: replaces x by T^{-1} x for a lower
/// triangular matrix T stored by rows, or by T^{-T} x for an upper triangular matrix T stored by columns.
template <class Scalar>
HALFDOF_INNER_LOOP void solve_from_first_row(const TriangularLines<Scalar>& lines, Block<Scalar>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto first = static_cast<std::size_t>(lines.starts[i]);
    const auto diagonal = static_cast<std::size_t>(lines.starts[i + 1]) - 1;
    LoadedRow<Scalar> sum(x[i]);
    for (std::size_t k = first; k < diagonal; ++k)
      sum.subtract(lines.values[k], LoadedRow<Scalar>(x[static_cast<std::size_t>(lines.positions[k])]));
    sum.divide_by(lines.values[diagonal]);
    sum.store(x[i]);
  }
}

/// Solves a triangular system from the last row to the first one: replaces x by T^{-1} x for an upper
/// triangular matrix T stored by columns, or by T^{-T} x for a lower triangular matrix T stored by rows.
template <class Scalar>
HALFDOF_INNER_LOOP void solve_from_last_row(const TriangularLines<Scalar>& lines, Block<Scalar>& x) {
  for (std::size_t i = x.size(); i-- > 0;) {
    const auto first = static_cast<std::size_t>(lines.starts[i]);
    const auto diagonal = static_cast<std::size_t>(lines.starts[i + 1]) - 1;
    LoadedRow<Scalar> solved(x[i]);
    solved.divide_by(lines.values[diagonal]);
    solved.store(x[i]);
    for (std::size_t k = first; k < diagonal; ++k) {
      Row<Scalar>& row = x[static_cast<std::size_t>(lines.positions[k])];
      LoadedRow<Scalar> rest(row);
      rest.subtract(lines.values[k], solved);
      rest.store(row);
    }
  }
}

// The attribute HALFDOF_FOR_EACH_PROCESSOR is possible only for functions that are not templates.

HALFDOF_FOR_EACH_PROCESSOR void solve_ascending(const TriangularLines<double>& lines, Block<double>& x) {
  solve_from_first_row(lines, x);
}
HALFDOF_FOR_EACH_PROCESSOR void solve_ascending(const TriangularLines<Complex>& lines, Block<Complex>& x) {
  solve_from_first_row(lines, x);
}
HALFDOF_FOR_EACH_PROCESSOR void solve_descending(const TriangularLines<double>& lines, Block<double>& x) {
  solve_from_last_row(lines, x);
}
HALFDOF_FOR_EACH_PROCESSOR void solve_descending(const TriangularLines<Complex>& lines, Block<Complex>& x) {
  solve_from_last_row(lines, x);
}

/// Solves for blocks of at most `width` right-hand sides, which are permuted before and after the solve: row
/// k of a block is row from[k] of b before, and becomes row to[k] of the result. A null pointer is the
/// identity.
template <class Scalar, class Solve>
DenseMatrix<Scalar> solve_by_blocks(ConstView<Scalar> b, const Permutation* from, const Permutation* to,
                                    const Solve& solve) {
  const auto place = [](const Permutation* permutation, Eigen::Index k) {
    return permutation ? static_cast<Eigen::Index>((*permutation)[static_cast<std::size_t>(k)]) : k;
  };
  DenseMatrix<Scalar> x(b.rows(), b.cols());
  Block<Scalar> block(static_cast<std::size_t>(b.rows()));
  for (Eigen::Index first = 0; first < b.cols(); first += width) {
    const Eigen::Index n = std::min<Eigen::Index>(width, b.cols() - first);
    for (Eigen::Index c = 0; c < n; ++c)
      for (Eigen::Index k = 0; k < b.rows(); ++k)
        block[static_cast<std::size_t>(k)].set(c, b(place(from, k), first + c));
    solve(block);
    for (Eigen::Index c = 0; c < n; ++c)
      for (Eigen::Index k = 0; k < b.rows(); ++k)
        x(place(to, k), first + c) = block[static_cast<std::size_t>(k)].get(c);
  }
  return x;
}

}  // namespace

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::solve(ConstView<Scalar> b) const {
  return backward(forward(b));
}

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::forward(ConstView<Scalar> b) const {
  const DenseMatrix<Scalar> scaled = row_divisors.asDiagonal().inverse() * b;
  return solve_by_blocks<Scalar>(scaled, &row_permutation, nullptr,
                                 [&](Block<Scalar>& x) { solve_ascending(L, x); });
}

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::backward(ConstView<Scalar> z) const {
  return solve_by_blocks<Scalar>(z, nullptr, &column_permutation,
                                 [&](Block<Scalar>& x) { solve_descending(U, x); });
}

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::solve_transposed(ConstView<Scalar> b) const {
  const DenseMatrix<Scalar> g = transposed_backward(b);
  const DenseMatrix<Scalar> scaled = solve_by_blocks<Scalar>(
      g, nullptr, &row_permutation, [&](Block<Scalar>& x) { solve_descending(L, x); });
  return row_divisors.asDiagonal().inverse() * scaled;
}

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::transposed_backward(ConstView<Scalar> h) const {
  return solve_by_blocks<Scalar>(h, &column_permutation, nullptr,
                                 [&](Block<Scalar>& x) { solve_ascending(U, x); });
}

template class TriangularBatch<double>;
template class TriangularBatch<Complex>;

}  // namespace halfdof::internal
