// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/grouped_columns.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace halfdof::internal {

namespace {

std::vector<Index> rows_of(const Eigen::SparseMatrix<double>& A, Index column) {
  const Index* rows = A.innerIndexPtr();
  return {rows + A.outerIndexPtr()[column], rows + A.outerIndexPtr()[column + 1]};
}

/// Returns the indices of the nonempty columns, sorted by their first rows, because columns with neighbouring
/// first rows have most rows in common.
std::vector<Index> columns_sorted_by_first_row(const Eigen::SparseMatrix<double>& A) {
  std::vector<Index> columns;
  for (Index j = 0; j < A.cols(); ++j)
    if (A.outerIndexPtr()[j] < A.outerIndexPtr()[j + 1]) columns.push_back(j);
  std::stable_sort(columns.begin(), columns.end(), [&](Index i, Index j) {
    return A.innerIndexPtr()[A.outerIndexPtr()[i]] < A.innerIndexPtr()[A.outerIndexPtr()[j]];
  });
  return columns;
}

/// Returns some columns of A, restricted to the given rows, as a dense block. Shape: rows x columns.
MultiVector dense_block(const Eigen::SparseMatrix<double>& A, const std::vector<Index>& rows,
                        const std::vector<Index>& columns) {
  MultiVector block = MultiVector::Zero(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    auto row = rows.begin();
    for (Eigen::SparseMatrix<double>::InnerIterator entry(A, columns[k]); entry; ++entry) {
      row = std::lower_bound(row, rows.end(), static_cast<Index>(entry.row()));
      block(row - rows.begin(), static_cast<Index>(k)) = entry.value();
    }
  }
  return block;
}

}  // namespace

GroupedColumns::GroupedColumns(const Eigen::SparseMatrix<double>& A) {
  std::size_t n_entries = 0;  // number of nonzero entries of the current group
  for (const Index column : columns_sorted_by_first_row(A)) {
    const std::vector<Index> rows = rows_of(A, column);
    std::vector<Index> all;
    if (!groups_.empty())
      std::set_union(rows.begin(), rows.end(), groups_.back().rows.begin(), groups_.back().rows.end(),
                     std::back_inserter(all));
    const std::size_t n_columns = groups_.empty() ? 0 : groups_.back().columns.size();
    const bool joins = n_columns > 0 && n_columns < std::size_t{max_columns} &&
                       static_cast<double>(all.size() * (n_columns + 1)) <=
                           max_fill_ratio * static_cast<double>(n_entries + rows.size());
    if (!joins) groups_.emplace_back();
    groups_.back().rows = joins ? all : rows;
    groups_.back().columns.push_back(column);
    n_entries = rows.size() + (joins ? n_entries : 0);
  }
  std::size_t most_rows = 0;
  for (Group& group : groups_) {
    group.block = dense_block(A, group.rows, group.columns);
    most_rows = std::max(most_rows, group.rows.size());
  }
  row_values_.resize(static_cast<Index>(most_rows));
}

void GroupedColumns::add_product(ConstView<double> x, View<double> y) const {
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    double* const column = y.data() + c * y.outerStride();
    for (const Group& group : groups_) {
      GroupVector of_group(static_cast<Index>(group.columns.size()));
      for (std::size_t k = 0; k < group.columns.size(); ++k)
        of_group[static_cast<Index>(k)] = x(group.columns[k], c);
      if (of_group.isZero(0.)) continue;  // Most contacts are open most of the time.
      auto sums = row_values_.head(static_cast<Index>(group.rows.size()));
      sums.noalias() = group.block * of_group;
      for (std::size_t k = 0; k < group.rows.size(); ++k)
        column[group.rows[k]] += sums[static_cast<Index>(k)];
    }
  }
}

void GroupedColumns::add_transposed_product(const Vector& factors, ConstView<double> y,
                                            View<double> x) const {
  for (Eigen::Index c = 0; c < y.cols(); ++c) {
    const double* const column = y.data() + c * y.outerStride();
    // The groups are traversed backwards, because add_product() begins with the first group, which then may
    // still be in the cache.
    for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
      auto scaled = row_values_.head(static_cast<Index>(group->rows.size()));
      for (std::size_t k = 0; k < group->rows.size(); ++k)
        scaled[static_cast<Index>(k)] = factors[group->rows[k]] * column[group->rows[k]];
      GroupVector of_group(static_cast<Index>(group->columns.size()));
      of_group.noalias() = group->block.transpose() * scaled;
      for (std::size_t k = 0; k < group->columns.size(); ++k)
        x(group->columns[k], c) += of_group[static_cast<Index>(k)];
    }
  }
}

void SparseColumnsBuilder::append(const MultiVector& columns) {
  for (Index j = 0; j < columns.cols(); ++j, ++n_appended_) {
    columns_.startVec(n_appended_);
    for (Index i = 0; i < columns.rows(); ++i)
      if (columns(i, j) != 0.) columns_.insertBack(i, n_appended_) = columns(i, j);
  }
}

const Eigen::SparseMatrix<double>& SparseColumnsBuilder::finish() {
  columns_.finalize();
  return columns_;
}

std::optional<Vector> row_factors(const Eigen::SparseMatrix<double>& A,
                                  const Eigen::SparseMatrix<double>& B) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  const Index* rows = A.innerIndexPtr();
  if (A.nonZeros() != B.nonZeros() || !std::equal(rows, rows + A.nonZeros(), B.innerIndexPtr()) ||
      !std::equal(A.outerIndexPtr(), A.outerIndexPtr() + A.cols(), B.outerIndexPtr()))
    return std::nullopt;
  Vector factors = Vector::Zero(A.rows());
  for (Eigen::Index k = 0; k < A.nonZeros(); ++k) {
    const double a = A.valuePtr()[k], b = B.valuePtr()[k];
    double& factor = factors[rows[k]];
    if (factor == 0.) factor = b / a;
    if (!(std::abs(b - factor * a) <= rounding * std::abs(b))) return std::nullopt;
  }
  return factors;
}

}  // namespace halfdof::internal
