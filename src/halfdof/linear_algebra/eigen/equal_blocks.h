// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/**
 * The uncoupled diagonal blocks of a (permuted) matrix whose blocks have the same pattern. Examples are the
 * mass matrix of a vector field, which has one block for each component, and damping within each finite
 * element. If the values of the blocks are equal, too, one factorization serves all blocks.
 */
struct EqualBlocks {
  PatternPtr pattern;                    ///< pattern of one block
  std::vector<std::vector<Index>> rows;  ///< the row numbers of each block in the matrix, ascending
};

/// Finds the uncoupled diagonal blocks of a matrix. No value is returned if the matrix has only one block, is
/// diagonal, or has blocks with different patterns.
std::optional<EqualBlocks> find_equal_blocks(const SquarePattern& pattern);

/// Returns the values that all blocks have in common; no value if the blocks differ in any value.
template <class Scalar>
std::optional<std::vector<Scalar>> common_values(const EqualBlocks& blocks, const SquarePattern& pattern,
                                                 const std::vector<Scalar>& values);

/// Returns a factorization of the whole matrix from the factorization of one block. The parts of a right-hand
/// side that belong to different blocks become right-hand sides of one solve with the factors of the block.
/// The report describes the block: the entries and the memory of its factors, and its alternative solver.
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_equal_blocks(const EqualBlocks& blocks,
                                                        FactorizationPtr<Scalar> block);

}  // namespace halfdof::internal
