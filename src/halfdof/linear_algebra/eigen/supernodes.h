// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace halfdof::internal {

/// The supernodes of a Cholesky factor: sets of neighbouring columns with the same pattern below the
/// diagonal, which are stored as dense blocks. Rows and columns are numbered by elimination order, not as in
/// the matrix.
struct Supernodes {
  std::vector<Index> first_columns;      ///< first column of each supernode, then n
  std::vector<std::int64_t> row_starts;  ///< start of each supernode in `rows`, then the end
  /// Start of the dense, column-major block of each supernode in the values of L, then the end.
  std::vector<std::int64_t> value_starts;
  std::vector<Index> rows;          ///< rows of each supernode, ascending; its own columns come first
  std::vector<Index> row_of_place;  ///< the permutation P: row of the matrix at each place of the order
  std::vector<Index> place_of_row;  ///< the inverse permutation
  Index most_rows = 0;              ///< largest number of rows of a supernode

  Index n() const { return static_cast<Index>(row_of_place.size()); }
  std::size_t size() const { return first_columns.size() - 1; }
  Index n_columns(std::size_t s) const { return first_columns[s + 1] - first_columns[s]; }
  Index n_rows(std::size_t s) const { return static_cast<Index>(row_starts[s + 1] - row_starts[s]); }
};

using SupernodesPtr = std::shared_ptr<const Supernodes>;

}  // namespace halfdof::internal
