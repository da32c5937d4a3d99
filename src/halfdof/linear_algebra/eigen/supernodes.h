#pragma once

#include <halfdof/base/types.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace halfdof {

/// Neighbouring columns of a Cholesky factor that share the pattern below them, which makes them dense
/// blocks. Numbers are places in the elimination order, not rows of the matrix.
struct Supernodes {
  std::vector<Index> first_columns;      ///< of each supernode; then n
  std::vector<std::int64_t> row_starts;  ///< where in `rows` those of each begin; then the end
  std::vector<std::int64_t>
      value_starts;                 ///< where the dense block of each begins, column-major; then the end
  std::vector<Index> rows;          ///< ascending; its own columns are the first of each
  std::vector<Index> row_of_place;  ///< the permutation P
  std::vector<Index> place_of_row;  ///< and its inverse
  Index most_rows = 0;              ///< of one supernode

  Index n() const { return static_cast<Index>(row_of_place.size()); }
  std::size_t size() const { return first_columns.size() - 1; }
  Index n_columns(std::size_t s) const { return first_columns[s + 1] - first_columns[s]; }
  Index n_rows(std::size_t s) const { return static_cast<Index>(row_starts[s + 1] - row_starts[s]); }
};

using SupernodesPtr = std::shared_ptr<const Supernodes>;

}  // namespace halfdof
