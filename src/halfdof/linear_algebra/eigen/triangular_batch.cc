#include <halfdof/linear_algebra/eigen/triangular_batch.h>

#include <algorithm>

namespace halfdof {

namespace {

constexpr int width = 8;

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

/// Calls solve(block, first column, number of columns) for blocks of at most `width` columns.
template <class Scalar, class Solve>
void for_each_block(Eigen::Index n_rows, Eigen::Index n_columns, const Solve& solve) {
  Block<Scalar> block = Block<Scalar>::Zero(n_rows, width);
  for (Eigen::Index first = 0; first < n_columns; first += width)
    solve(block, first, std::min<Eigen::Index>(width, n_columns - first));
}

}  // namespace

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::solve(ConstView<Scalar> b) const {
  DenseMatrix<Scalar> x(b.rows(), b.cols());
  for_each_block<Scalar>(b.rows(), b.cols(), [&](Block<Scalar>& block, Eigen::Index first, Eigen::Index n) {
    for (Eigen::Index k = 0; k < b.rows(); ++k) {
      const auto row = row_permutation[static_cast<std::size_t>(k)];
      block.row(k).head(n) = b.row(row).segment(first, n) / row_divisors[row];
    }
    solve_ascending(L, block);
    solve_descending(U, block);
    for (Eigen::Index k = 0; k < b.rows(); ++k)
      x.row(column_permutation[static_cast<std::size_t>(k)]).segment(first, n) = block.row(k).head(n);
  });
  return x;
}

template <class Scalar>
DenseMatrix<Scalar> TriangularBatch<Scalar>::solve_transposed(ConstView<Scalar> b) const {
  DenseMatrix<Scalar> x(b.rows(), b.cols());
  for_each_block<Scalar>(b.rows(), b.cols(), [&](Block<Scalar>& block, Eigen::Index first, Eigen::Index n) {
    for (Eigen::Index k = 0; k < b.rows(); ++k)
      block.row(k).head(n) = b.row(column_permutation[static_cast<std::size_t>(k)]).segment(first, n);
    solve_ascending(U, block);
    solve_descending(L, block);
    for (Eigen::Index k = 0; k < b.rows(); ++k) {
      const auto row = row_permutation[static_cast<std::size_t>(k)];
      x.row(row).segment(first, n) = block.row(k).head(n) / row_divisors[row];
    }
  });
  return x;
}

template class TriangularBatch<double>;
template class TriangularBatch<Complex>;

}  // namespace halfdof
