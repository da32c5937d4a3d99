#include <halfdof/linear_algebra/eigen/triangular_batch.h>

#include <algorithm>
#include <vector>

namespace halfdof {

namespace {

constexpr int width = 8;

using Permutation = std::vector<std::int64_t>;

using Lanes = Eigen::Array<double, width, 1>;

/// One row of a block of columns. Real and imaginary parts apart, so that complex arithmetic is done on all at once.
template <class Scalar>
struct Row;

template <>
struct Row<double> {
  Lanes values = Lanes::Zero();

  double get(Eigen::Index c) const { return values[c]; }
  void set(Eigen::Index c, double value) { values[c] = value; }
  /// *this -= factor x
  void subtract(double factor, const Row& x) { values -= factor * x.values; }
  void divide_by(double divisor) { values /= divisor; }
};

template <>
struct Row<Complex> {
  Lanes real = Lanes::Zero(), imaginary = Lanes::Zero();

  Complex get(Eigen::Index c) const { return {real[c], imaginary[c]}; }
  void set(Eigen::Index c, Complex value) {
    real[c] = value.real();
    imaginary[c] = value.imag();
  }
  void subtract(Complex factor, const Row& x) {
    real -= factor.real() * x.real - factor.imag() * x.imaginary;
    imaginary -= factor.real() * x.imaginary + factor.imag() * x.real;
  }
  void divide_by(Complex divisor) {
    const Complex factor = 1. / divisor;
    const Lanes product = factor.real() * real - factor.imag() * imaginary;
    imaginary = factor.real() * imaginary + factor.imag() * real;
    real = product;
  }
};

template <class Scalar>
using Block = std::vector<Row<Scalar>, Eigen::aligned_allocator<Row<Scalar>>>;

/// x <- T^{-1} x for lines that are rows of a lower triangle, T^{-T} x for columns of an upper one.
template <class Scalar>
void solve_ascending(const TriangularLines<Scalar>& lines, Block<Scalar>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto first = static_cast<std::size_t>(lines.starts[i]);
    const auto diagonal = static_cast<std::size_t>(lines.starts[i + 1]) - 1;
    Row<Scalar> sum = x[i];
    for (std::size_t k = first; k < diagonal; ++k)
      sum.subtract(lines.values[k], x[static_cast<std::size_t>(lines.positions[k])]);
    sum.divide_by(lines.values[diagonal]);
    x[i] = sum;
  }
}

/// x <- T^{-1} x for lines that are columns of an upper triangle, T^{-T} x for rows of a lower one.
template <class Scalar>
void solve_descending(const TriangularLines<Scalar>& lines, Block<Scalar>& x) {
  for (std::size_t i = x.size(); i-- > 0;) {
    const auto first = static_cast<std::size_t>(lines.starts[i]);
    const auto diagonal = static_cast<std::size_t>(lines.starts[i + 1]) - 1;
    x[i].divide_by(lines.values[diagonal]);
    const Row<Scalar> solved = x[i];
    for (std::size_t k = first; k < diagonal; ++k)
      x[static_cast<std::size_t>(lines.positions[k])].subtract(lines.values[k], solved);
  }
}

/// Solves by blocks of at most `width` columns: row k of a block comes from row from[k] of b, and goes to row
/// to[k] of the result. Null: from and to row k.
template <class Scalar, class Solve>
DenseMatrix<Scalar> by_blocks(ConstView<Scalar> b, const Permutation* from, const Permutation* to,
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
  return by_blocks<Scalar>(scaled, &row_permutation, nullptr,
                           [&](Block<Scalar>& x) { solve_ascending(L, x); });
}

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::backward(ConstView<Scalar> z) const {
  return by_blocks<Scalar>(z, nullptr, &column_permutation,
                           [&](Block<Scalar>& x) { solve_descending(U, x); });
}

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::solve_transposed(ConstView<Scalar> b) const {
  const DenseMatrix<Scalar> g = transposed_backward(b);
  const DenseMatrix<Scalar> scaled =
      by_blocks<Scalar>(g, nullptr, &row_permutation, [&](Block<Scalar>& x) { solve_descending(L, x); });
  return row_divisors.asDiagonal().inverse() * scaled;
}

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::transposed_backward(ConstView<Scalar> h) const {
  return by_blocks<Scalar>(h, &column_permutation, nullptr, [&](Block<Scalar>& x) { solve_ascending(U, x); });
}

template class TriangularBatch<double>;
template class TriangularBatch<Complex>;

}  // namespace halfdof
