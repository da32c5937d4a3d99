// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/disjoint_sets.h>
#include <halfdof/linear_algebra/ranks/structural_rank.h>

#include <btf.h>

#include <algorithm>
#include <utility>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Number of passes over the entries after which the search for a maximum matching is given up.
constexpr double max_passes = 100;

constexpr Index none = -1;

/// Calls visit(row) for the row of each entry of a column.
template <class Visit>
void for_each_row(const Sparse& A, Index column, const Visit& visit) {
  for (Sparse::InnerIterator entry(A, column); entry; ++entry)
    visit(static_cast<Index>(entry.row()));
}

/// Returns the column that a maximum matching assigns to each row, `none` for unmatched rows; no value if the
/// search for the matching was given up.
std::optional<std::vector<Index>> maximum_matching(Sparse& A) {
  const auto n_rows = static_cast<Index>(A.rows()), n_columns = static_cast<Index>(A.cols());
  std::vector<Index> column_of_row(A.rows() > 0 ? static_cast<std::size_t>(n_rows) : 0, none);
  if (n_rows == 0 || n_columns == 0) return column_of_row;
  std::vector<Index> workspace(5 * static_cast<std::size_t>(n_columns));
  double work = 0;
  btf_maxtrans(n_rows, n_columns, A.outerIndexPtr(), A.innerIndexPtr(), max_passes, &work,
               column_of_row.data(), workspace.data());
  if (work < 0) return std::nullopt;
  return column_of_row;
}

/// Converts the column matched to each row into the row matched to each of the n columns, or vice versa.
std::vector<Index> inverse(const std::vector<Index>& matching, Index n) {
  std::vector<Index> inverse(static_cast<std::size_t>(n), none);
  for (std::size_t i = 0; i < matching.size(); ++i)
    if (matching[i] != none) inverse[static_cast<std::size_t>(matching[i])] = static_cast<Index>(i);
  return inverse;
}

std::vector<Index> unmatched_numbers(const std::vector<Index>& matching) {
  std::vector<Index> all;
  for (std::size_t i = 0; i < matching.size(); ++i)
    if (matching[i] == none) all.push_back(static_cast<Index>(i));
  return all;
}

/// Returns the columns that are reachable from the unmatched columns `from` by alternating paths: from a
/// column to the row of any of its entries, and from a row to the column matched to it.
std::vector<Index> reached_columns(const Sparse& A, const std::vector<Index>& column_of_row,
                                   std::vector<Index> from) {
  std::vector<bool> is_reached(static_cast<std::size_t>(A.cols()), false);
  for (const Index j : from)
    is_reached[static_cast<std::size_t>(j)] = true;
  for (std::size_t next = 0; next < from.size(); ++next)
    for_each_row(A, from[next], [&](Index row) {
      const Index j = column_of_row[static_cast<std::size_t>(row)];
      if (is_reached[static_cast<std::size_t>(j)]) return;
      is_reached[static_cast<std::size_t>(j)] = true;
      from.push_back(j);
    });
  std::sort(from.begin(), from.end());
  return from;
}

/// Divides columns into sets that are connected by common rows, and returns the columns and the rows of each
/// set.
std::vector<PatternPart> connected_parts(const Sparse& A, const std::vector<Index>& columns) {
  DisjointSets places(columns.size());
  std::vector<Index> first(static_cast<std::size_t>(A.rows()), none);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for_each_row(A, columns[k], [&](Index row) {
      Index& of_row = first[static_cast<std::size_t>(row)];
      if (of_row == none) of_row = static_cast<Index>(k);
      places.union_set(static_cast<std::size_t>(of_row), k);
    });
  std::vector<PatternPart> parts;
  for (const std::vector<Index>& set : members_of(places)) {
    parts.emplace_back();
    PatternPart& part = parts.back();
    for (const Index place : set) {
      part.columns.push_back(columns[static_cast<std::size_t>(place)]);
      for_each_row(A, part.columns.back(), [&](Index row) { part.rows.push_back(row); });
    }
    std::sort(part.rows.begin(), part.rows.end());
    part.rows.erase(std::unique(part.rows.begin(), part.rows.end()), part.rows.end());
  }
  return parts;
}

}  // namespace

std::optional<DulmageMendelsohn> dulmage_mendelsohn(const Sparse& A) {
  Sparse pattern = A;
  pattern.prune([](Index, Index, double value) { return value != 0; });
  const auto column_of_row = maximum_matching(pattern);
  if (!column_of_row) return std::nullopt;
  const std::vector<Index> row_of_column = inverse(*column_of_row, static_cast<Index>(A.cols()));

  DulmageMendelsohn result;
  result.unmatched_rows = unmatched_numbers(*column_of_row);
  result.unmatched_columns = unmatched_numbers(row_of_column);
  result.rank = static_cast<Index>(column_of_row->size() - result.unmatched_rows.size());
  if (!result.unmatched_columns.empty())
    result.underdetermined =
        connected_parts(pattern, reached_columns(pattern, *column_of_row, result.unmatched_columns));
  if (result.unmatched_rows.empty()) return result;
  const Sparse transposed = pattern.transpose();
  result.overdetermined =
      connected_parts(transposed, reached_columns(transposed, row_of_column, result.unmatched_rows));
  for (PatternPart& part : result.overdetermined)
    std::swap(part.rows, part.columns);
  return result;
}

}  // namespace halfdof::internal
