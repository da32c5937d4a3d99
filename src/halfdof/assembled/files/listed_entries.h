// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/column_storage.h>
#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <cstdint>
#include <filesystem>
#include <type_traits>
#include <unordered_map>
#include <vector>

/**
 * @file
 * Sparse matrices from the entries that a file lists one by one.
 */
namespace halfdof::internal {

/// One entry of a file; indices count from zero.
struct ListedEntry {
  Index row;
  Index column;
  double value;
};

/// What an entry a_ij that is listed says about a_ji, which is not.
enum class Mirror {
  none,            ///< nothing
  symmetric,       ///< a_ji = a_ij
  skew_symmetric,  ///< a_ji = -a_ij
};

/// Whether an integer lies within 2^53, up to which double precision holds all of them.
template <class Integer>
constexpr bool fits_double(Integer value) {
  if constexpr (sizeof(Integer) == 8) {
    constexpr auto largest = static_cast<Integer>(std::uint64_t(1) << 53);
    if constexpr (std::is_signed_v<Integer>)
      return value >= -largest && value <= largest;
    else
      return value <= largest;
  }
  return true;
}

/// Returns whether a file with so few entries can have so many rows or columns. A sparse matrix needs memory
/// for each column even without entries, so a wrong number in a small file could exhaust memory. Up to
/// 10'000'000 rows and columns any number of entries will do, above at least one for each 100 of them.
bool is_plausible(GlobalIndex n_rows_or_columns, GlobalIndex n_entries);

/// Sorts entries by column and row, and adds repeated ones in the order of the list. Listed zeros are kept.
/// @param refuse Called if the matrix has more than 2^31 - 1 entries
Eigen::SparseMatrix<double> compressed(Index n_rows, Index n_columns, const std::vector<ListedEntry>& entries,
                                       Mirror mirror, const Refuse& refuse);
/// The same, with FileError naming `file`.
Eigen::SparseMatrix<double> compressed(const std::filesystem::path& file, Index n_rows, Index n_columns,
                                       const std::vector<ListedEntry>& entries, Mirror mirror);

/// Returns whether, for some i != j, both a_ij and a_ji are listed. Shape: n x n
bool lists_both_triangles(const std::filesystem::path& file, Index n,
                          const std::vector<ListedEntry>& entries);

/// Numbers the degrees of freedom of a file: first as they come, at the end in ascending order of node and
/// component.
class DoFNumbering {
 public:
  /// Returns the number of a degree of freedom, a new one at its first appearance.
  Index number(const FileDoF& dof);

  /// Returns all degrees of freedom in ascending order. @param renumbered Set to the index of each number in
  /// it
  std::vector<FileDoF> ascending(std::vector<Index>& renumbered) const;

  Index size() const { return static_cast<Index>(dofs_.size()); }

 private:
  struct Hash {
    std::size_t operator()(const FileDoF& dof) const;
  };
  std::unordered_map<FileDoF, Index, Hash> numbers_;
  std::vector<FileDoF> dofs_;
  Index last_ = 0;  ///< the number that was returned last
};

}  // namespace halfdof::internal
