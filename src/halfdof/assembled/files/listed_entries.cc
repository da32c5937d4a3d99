// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/column_storage.h>
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/base/errors.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Calls receive(row, column, value) for each listed entry and for its mirrored entry, if there is one.
template <class Receive>
void for_both_triangles(const std::vector<ListedEntry>& entries, Mirror mirror, const Receive& receive) {
  const double mirrored_sign = mirror == Mirror::skew_symmetric ? -1 : 1;
  for (const ListedEntry& entry : entries) {
    receive(entry.row, entry.column, entry.value);
    if (mirror != Mirror::none && entry.row != entry.column)
      receive(entry.column, entry.row, mirrored_sign * entry.value);
  }
}

}  // namespace

bool is_plausible(GlobalIndex n_rows_or_columns, GlobalIndex n_entries) {
  return n_rows_or_columns <= 10'000'000 || n_rows_or_columns / 100 <= n_entries;
}

Sparse compressed(const std::filesystem::path& file, Index n_rows, Index n_columns,
                  const std::vector<ListedEntry>& entries, Mirror mirror) {
  return compressed(n_rows, n_columns, entries, mirror,
                    [&file](const std::string& reason) { throw FileError(file, reason); });
}

Sparse compressed(Index n_rows, Index n_columns, const std::vector<ListedEntry>& entries, Mirror mirror,
                  const RejectFile& refuse) {
  // A counting sort by columns; the order of the file is kept within each column.
  GlobalIndex n_entries = 0;
  for_both_triangles(entries, mirror, [&](Index, Index, double) { ++n_entries; });
  if (n_entries > std::numeric_limits<Index>::max())
    refuse("the matrix has " + std::to_string(n_entries) + " entries, but at most 2^31 - 1 are supported.");
  Sparse A(n_rows, n_columns);
  Index* const begin = A.outerIndexPtr();
  for_both_triangles(entries, mirror, [&](Index, Index column, double) { ++begin[column + 1]; });
  for (Index j = 0; j < n_columns; ++j)
    begin[j + 1] += begin[j];
  A.resizeNonZeros(static_cast<Index>(n_entries));
  std::vector<Index> next(begin, begin + n_columns);
  Index* const rows = A.innerIndexPtr();
  double* const values = A.valuePtr();
  for_both_triangles(entries, mirror, [&](Index row, Index column, double value) {
    const Index p = next[static_cast<std::size_t>(column)]++;
    rows[p] = row;
    values[p] = value;
  });
  sort_and_add(A);
  return A;
}

bool lists_both_triangles(const std::filesystem::path& file, Index n,
                          const std::vector<ListedEntry>& entries) {
  bool has_lower = false, has_upper = false;
  for (const ListedEntry& entry : entries) {
    has_lower = has_lower || entry.row > entry.column;
    has_upper = has_upper || entry.row < entry.column;
  }
  if (!has_lower || !has_upper) return false;
  const Sparse A = compressed(file, n, n, entries, Mirror::none), transposed = A.transpose();
  for (Index j = 0; j < n; ++j) {
    Sparse::InnerIterator a(A, j), b(transposed, j);
    while (a && b) {
      if (a.row() == b.row() && a.row() != j) return true;
      const Eigen::Index row_a = a.row(), row_b = b.row();
      if (row_a <= row_b) ++a;
      if (row_b <= row_a) ++b;
    }
  }
  return false;
}

std::size_t DoFNumbering::Hash::operator()(const FileDoF& dof) const {
  const std::uint64_t key =
      static_cast<std::uint64_t>(dof.node) * 16 + static_cast<std::uint64_t>(dof.component);
  return static_cast<std::size_t>((key ^ (key >> 32)) * 0x9E3779B97F4A7C15u);
}

Index DoFNumbering::number(const FileDoF& dof) {
  // Most files list one column after the other, so that the same DoF is asked for many times in succession.
  if (!dofs_.empty() && dofs_[static_cast<std::size_t>(last_)] == dof) return last_;
  const auto [place, is_new] = numbers_.try_emplace(dof, size());
  if (is_new) dofs_.push_back(dof);
  last_ = place->second;
  return last_;
}

std::vector<FileDoF> DoFNumbering::ascending(std::vector<Index>& renumbered) const {
  std::vector<Index> order(dofs_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto dof = [this](Index k) -> const FileDoF& { return dofs_[static_cast<std::size_t>(k)]; };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return dof(a) < dof(b); });
  renumbered.resize(dofs_.size());
  std::vector<FileDoF> ascending;
  ascending.reserve(dofs_.size());
  for (const Index k : order) {
    renumbered[static_cast<std::size_t>(k)] = static_cast<Index>(ascending.size());
    ascending.push_back(dof(k));
  }
  return ascending;
}

}  // namespace halfdof::internal
