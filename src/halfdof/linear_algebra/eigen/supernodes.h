// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace halfdof::internal {

/// The supernodes of a Cholesky factor L: sets of neighbouring columns with the same pattern below the
/// diagonal, which are stored as dense blocks. Rows and columns are numbered in the order of elimination,
/// which differs from the numbering of the matrix by the permutation P.
struct Supernodes {
  std::vector<Index> first_columns;  ///< first column of each supernode, followed by n
  std::vector<std::int64_t>
      row_starts;  ///< position of each supernode in `rows`, followed by the size of `rows`
  /// Position of the dense, column-major block of each supernode in the values of L, followed by the number
  /// of values.
  std::vector<std::int64_t> value_starts;
  std::vector<Index> rows;  ///< rows of each supernode, ascending; the rows of its diagonal block come first
  std::vector<Index> row_of_place;  ///< the permutation P: the row of the matrix that is eliminated k-th
  std::vector<Index> place_of_row;  ///< the inverse permutation: the position of each row in the elimination
  Index max_rows = 0;               ///< largest number of rows of a supernode

  Index n() const { return static_cast<Index>(row_of_place.size()); }
  std::size_t size() const { return first_columns.size() - 1; }
  Index n_columns(std::size_t s) const { return first_columns[s + 1] - first_columns[s]; }
  Index n_rows(std::size_t s) const { return static_cast<Index>(row_starts[s + 1] - row_starts[s]); }
};

using SupernodesPtr = std::shared_ptr<const Supernodes>;

}  // namespace halfdof::internal
