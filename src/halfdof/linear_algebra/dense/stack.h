// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Eigen/Core>

#include <cassert>

namespace halfdof::internal {

/// Writes blocks below one another into a target with as many rows. If an allocation for a block fails, its
/// exception is passed on. Eigen's comma initializer, whose destructor asserts that all blocks were written,
/// would end the program then.
template <class Target, class... Blocks>
void stack_rows(Target&& target, const Blocks&... blocks) {
  Eigen::Index row = 0;
  ((target.middleRows(row, blocks.rows()) = blocks, row += blocks.rows()), ...);
  assert(row == target.rows());
}

/// Does the same with blocks beside one another.
template <class Target, class... Blocks>
void stack_columns(Target&& target, const Blocks&... blocks) {
  Eigen::Index column = 0;
  ((target.middleCols(column, blocks.cols()) = blocks, column += blocks.cols()), ...);
  assert(column == target.cols());
}

}  // namespace halfdof::internal
