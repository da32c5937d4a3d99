// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/disjoint_sets.h>
#include <halfdof/linear_algebra/eigen/equal_blocks.h>

#include <algorithm>
#include <string>
#include <utility>

namespace halfdof::internal {

namespace {

std::size_t to_size(Index i) {
  return static_cast<std::size_t>(i);
}

/// Returns the sets of rows that are coupled by nonzero entries, each set in ascending order. If all rows are
/// coupled, the result is a single empty set.
std::vector<std::vector<Index>> connected_parts(const SquarePattern& pattern) {
  DisjointSets parts(static_cast<std::size_t>(pattern.n));
  Index n_parts = pattern.n;
  for (Index j = 0; j < pattern.n && n_parts > 1; ++j) {
    for (auto k = pattern.starts[to_size(j)]; k < pattern.starts[to_size(j) + 1]; ++k) {
      const Index one = parts.find_set(j),
                  other = parts.find_set(static_cast<Index>(pattern.rows[static_cast<std::size_t>(k)]));
      if (one == other) continue;
      parts.link(one, other);
      --n_parts;
    }
  }
  return n_parts > 1 ? members_of(parts) : std::vector<std::vector<Index>>(1);
}

/// Returns the pattern of the block that consists of the given rows. @param place Number of each row of the
/// matrix in its block
SquarePattern pattern_of_block(const SquarePattern& pattern, const std::vector<Index>& rows,
                               const std::vector<Index>& place) {
  SquarePattern block{static_cast<Index>(rows.size()), {0}, {}};
  block.starts.reserve(rows.size() + 1);
  for (const Index row : rows) {
    for (auto k = pattern.starts[to_size(row)]; k < pattern.starts[to_size(row) + 1]; ++k)
      block.rows.push_back(place[static_cast<std::size_t>(pattern.rows[static_cast<std::size_t>(k)])]);
    block.starts.push_back(block.n_entries());
  }
  return block;
}

/// Returns whether the rows of a block have the same pattern as the first block.
bool has_pattern(const SquarePattern& block, const SquarePattern& pattern, const std::vector<Index>& rows,
                 const std::vector<Index>& place) {
  for (std::size_t column = 0; column < rows.size(); ++column) {
    const auto first = static_cast<std::size_t>(block.starts[column]);
    const auto end = static_cast<std::size_t>(block.starts[column + 1]);
    auto k = static_cast<std::size_t>(pattern.starts[to_size(rows[column])]);
    if (end - first != static_cast<std::size_t>(pattern.starts[to_size(rows[column]) + 1]) - k) return false;
    for (std::size_t l = first; l < end; ++l, ++k)
      if (block.rows[l] != place[static_cast<std::size_t>(pattern.rows[k])]) return false;
  }
  return true;
}

/// The factorization of a matrix of equal uncoupled blocks. Each right-hand side is divided into one
/// right-hand side for each block.
template <class Scalar>
class EqualBlocksFactorization : public ReportedFactorization<Scalar> {
 public:
  using Columns = DenseMatrix<Scalar>;

  EqualBlocksFactorization(const EqualBlocks& blocks, FactorizationPtr<Scalar> block)
      : rows_(blocks.rows), block_(std::move(block)) {}

  Columns solve(ConstView<Scalar> b) const override { return combined(block_->solve(divided(b))); }
  Columns solve_transposed(ConstView<Scalar> b) const override {
    return combined(block_->solve_transposed(divided(b)));
  }
  // Between forward() and backward(), the parts of a vector that belong to the blocks are stored one below
  // the other.
  Columns forward(ConstView<Scalar> b) const override {
    return block_->forward(divided(b)).reshaped(b.rows(), b.cols());
  }
  Columns backward(ConstView<Scalar> z) const override {
    return combined(block_->backward(one_column_per_block(z)));
  }
  Columns transposed_backward(ConstView<Scalar> h) const override {
    return block_->transposed_backward(divided(h)).reshaped(h.rows(), h.cols());
  }

  LogDeterminant<Scalar> log_determinant() const override {
    const LogDeterminant<Scalar> one = block_->log_determinant();
    LogDeterminant<Scalar> all;
    for (Eigen::Index block = 0; block < n_blocks(); ++block)
      all *= one;
    return all;
  }
  std::optional<MatrixInertia> inertia() const override {
    const std::optional<MatrixInertia> one = block_->inertia();
    if (!one) return std::nullopt;
    return MatrixInertia{n_blocks() * one->n_positive, n_blocks() * one->n_negative};
  }

 private:
  Eigen::Index n_blocks() const { return static_cast<Eigen::Index>(rows_.size()); }
  Eigen::Index n_of_block() const { return static_cast<Eigen::Index>(rows_.front().size()); }

  /// Returns a matrix with one column for each block, from vectors in which the parts for the blocks are
  /// stored one below the other.
  Columns one_column_per_block(ConstView<Scalar> z) const {
    return Columns(z).reshaped(n_of_block(), n_blocks() * z.cols());
  }
  /// Divides each column of b into one column for each block.
  Columns divided(ConstView<Scalar> b) const {
    Columns result(n_of_block(), n_blocks() * b.cols());
    for (Eigen::Index c = 0; c < result.cols(); ++c)
      result.col(c) = b.col(c / n_blocks())(rows_[static_cast<std::size_t>(c % n_blocks())]);
    return result;
  }
  /// Combines one column for each block to the columns of the whole matrix.
  Columns combined(const Columns& x) const {
    Columns result(n_of_block() * n_blocks(), x.cols() / n_blocks());
    for (Eigen::Index c = 0; c < x.cols(); ++c)
      result.col(c / n_blocks())(rows_[static_cast<std::size_t>(c % n_blocks())]) = x.col(c);
    return result;
  }

  std::vector<std::vector<Index>> rows_;
  FactorizationPtr<Scalar> block_;
};

}  // namespace

std::optional<EqualBlocks> find_equal_blocks(const SquarePattern& pattern) {
  EqualBlocks blocks{nullptr, connected_parts(pattern)};
  const std::size_t size = blocks.rows.empty() ? 0 : blocks.rows.front().size();
  if (blocks.rows.size() < 2 || size < 2) return std::nullopt;
  std::vector<Index> place(to_size(pattern.n));
  for (const std::vector<Index>& rows : blocks.rows) {
    if (rows.size() != size) return std::nullopt;
    for (std::size_t k = 0; k < size; ++k)
      place[to_size(rows[k])] = static_cast<Index>(k);
  }
  SquarePattern block = pattern_of_block(pattern, blocks.rows.front(), place);
  for (const std::vector<Index>& rows : blocks.rows)
    if (!has_pattern(block, pattern, rows, place)) return std::nullopt;
  blocks.pattern = std::make_shared<const SquarePattern>(std::move(block));
  return blocks;
}

template <class Scalar>
std::optional<std::vector<Scalar>> common_values(const EqualBlocks& blocks, const SquarePattern& pattern,
                                                 const std::vector<Scalar>& values) {
  const auto column_begin = [&](const std::vector<Index>& rows, std::size_t k) {
    return values.begin() + pattern.starts[to_size(rows[k])];
  };
  std::vector<Scalar> common;
  common.reserve(blocks.pattern->rows.size());
  for (std::size_t k = 0; k < blocks.rows.front().size(); ++k) {
    const auto first = column_begin(blocks.rows.front(), k);
    const auto n = blocks.pattern->starts[k + 1] - blocks.pattern->starts[k];
    for (const std::vector<Index>& rows : blocks.rows)
      if (!std::equal(first, first + n, column_begin(rows, k))) return std::nullopt;
    common.insert(common.end(), first, first + n);
  }
  return common;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_equal_blocks(const EqualBlocks& blocks,
                                                        FactorizationPtr<Scalar> block) {
  const FactorizationReport report = block->report();
  auto result = std::make_unique<EqualBlocksFactorization<Scalar>>(blocks, std::move(block));
  result->report() = report;
  result->report().reason = std::to_string(blocks.rows.size()) + " equal blocks, " + report.reason;
  return result;
}

template std::optional<std::vector<double>> common_values(const EqualBlocks&, const SquarePattern&,
                                                          const std::vector<double>&);
template std::optional<std::vector<Complex>> common_values(const EqualBlocks&, const SquarePattern&,
                                                           const std::vector<Complex>&);
template ReportedFactorizationPtr<double> factorize_equal_blocks(const EqualBlocks&,
                                                                 FactorizationPtr<double>);
template ReportedFactorizationPtr<Complex> factorize_equal_blocks(const EqualBlocks&,
                                                                  FactorizationPtr<Complex>);

}  // namespace halfdof::internal
