// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/**
 * The uncoupled diagonal blocks of a (permuted) matrix, if all have the same pattern. Examples are the mass
 * matrix of a vector field, with one block for each component, and damping within each cell. If the values of
 * the blocks are equal, too, one factorization serves all blocks.
 */
struct EqualBlocks {
  PatternPtr pattern;                    ///< pattern of one block
  std::vector<std::vector<Index>> rows;  ///< for each block its rows in the matrix, ascending
};

/// Finds the blocks. No value if the matrix has only one block, is diagonal, or its blocks have different
/// patterns.
std::optional<EqualBlocks> find_equal_blocks(const SquarePattern& pattern);

/// Returns the values of one block; no value if the blocks differ in any value.
template <class Scalar>
std::optional<std::vector<Scalar>> common_values(const EqualBlocks& blocks, const SquarePattern& pattern,
                                                 const std::vector<Scalar>& values);

/// Returns a factorization of the whole matrix from that of one block. The parts of a right-hand side that
/// belong to different blocks become right-hand sides of one solve. The report is that of the block: the
/// entries and the memory of its factors, and its alternative solver.
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_equal_blocks(const EqualBlocks& blocks,
                                                        FactorizationPtr<Scalar> of_one);

}  // namespace halfdof::internal
