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
 * Functions that build sparse matrices from lists of entries.
 */
namespace halfdof::internal {

/// One entry of a matrix in a file. Indices count from zero.
struct ListedEntry {
  Index row;
  Index column;
  double value;
};

/// The value of an entry a_ji that is not listed, if a_ij is listed.
enum class Mirror {
  none,            ///< a_ji = 0
  symmetric,       ///< a_ji = a_ij
  skew_symmetric,  ///< a_ji = -a_ij
};

/// Whether the modulus of an integer is at most 2^53. Double precision represents all these integers exactly.
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

/// Whether the number of rows or columns that a file states is plausible for its number of entries. Up to
/// 10'000'000 rows and columns, any number of entries is plausible; above, at least one entry for every 100
/// of them. A sparse matrix needs memory for each column even without entries, so that a wrong size in a
/// small file could exhaust the memory.
bool is_plausible(GlobalIndex n_rows_or_columns, GlobalIndex n_entries);

/// Builds a sparse matrix in compressed column storage. Repeated entries are added in the order of the list,
/// and listed zeros are kept.
/// @param refuse Called if the matrix has more than 2^31 - 1 entries
Eigen::SparseMatrix<double> compressed(Index n_rows, Index n_columns, const std::vector<ListedEntry>& entries,
                                       Mirror mirror, const RejectFile& refuse);
/// Builds the same matrix, and throws a FileError that names `file` if the matrix has more than 2^31 - 1
/// entries.
Eigen::SparseMatrix<double> compressed(const std::filesystem::path& file, Index n_rows, Index n_columns,
                                       const std::vector<ListedEntry>& entries, Mirror mirror);

/// Whether both a_ij and a_ji are listed for some i != j. Shape of the matrix: n x n
bool lists_both_triangles(const std::filesystem::path& file, Index n,
                          const std::vector<ListedEntry>& entries);

/// Numbers the degrees of freedom of a file in the order of their first appearance. At the end, the numbers
/// can be changed to the ascending order of node and component.
class DoFNumbering {
 public:
  /// Returns the number of a degree of freedom. A degree of freedom gets a new number at its first
  /// appearance.
  Index number(const FileDoF& dof);

  /// Returns all degrees of freedom in ascending order. @param renumbered Set to the position of each number
  /// in this order
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
