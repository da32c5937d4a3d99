#include <halfdof/linear_algebra/eigen/triangular_batch.h>

#include <algorithm>

namespace halfdof {

namespace {

constexpr int width = 8;

using Permutation = std::vector<std::int64_t>;

template <class Scalar>
using Block = Eigen::Matrix<Scalar, Eigen::Dynamic, width, Eigen::RowMajor>;

/// x <- T^{-1} x for lines that are rows of a lower triangle, T^{-T} x for columns of an upper one.
template <class Scalar>
void solve_ascending(const TriangularLines<Scalar>& lines, Block<Scalar>& x) {
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const auto first = static_cast<std::size_t>(lines.starts[static_cast<std::size_t>(i)]);
    const auto diagonal = static_cast<std::size_t>(lines.starts[static_cast<std::size_t>(i) + 1]) - 1;
    Eigen::Matrix<Scalar, 1, width> sum = x.row(i);
    for (std::size_t k = first; k < diagonal; ++k)
      sum -= lines.values[k] * x.row(lines.positions[k]);
    x.row(i) = sum / lines.values[diagonal];
  }
}

/// x <- T^{-1} x for lines that are columns of an upper triangle, T^{-T} x for rows of a lower one.
template <class Scalar>
void solve_descending(const TriangularLines<Scalar>& lines, Block<Scalar>& x) {
  for (Eigen::Index i = x.rows() - 1; i >= 0; --i) {
    const auto first = static_cast<std::size_t>(lines.starts[static_cast<std::size_t>(i)]);
    const auto diagonal = static_cast<std::size_t>(lines.starts[static_cast<std::size_t>(i) + 1]) - 1;
    const Eigen::Matrix<Scalar, 1, width> solved = x.row(i) / lines.values[diagonal];
    x.row(i) = solved;
    for (std::size_t k = first; k < diagonal; ++k)
      x.row(lines.positions[k]) -= lines.values[k] * solved;
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
  Block<Scalar> block = Block<Scalar>::Zero(b.rows(), width);
  for (Eigen::Index first = 0; first < b.cols(); first += width) {
    const Eigen::Index n = std::min<Eigen::Index>(width, b.cols() - first);
    for (Eigen::Index k = 0; k < b.rows(); ++k)
      block.row(k).head(n) = b.row(place(from, k)).segment(first, n);
    solve(block);
    for (Eigen::Index k = 0; k < b.rows(); ++k)
      x.row(place(to, k)).segment(first, n) = block.row(k).head(n);
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
