#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

#include <optional>
#include <vector>

namespace halfdof {

/**
 * A matrix that falls apart into blocks of one pattern which no entry couples, as the mass of a vector field
 * does component by component, or damping cell by cell: where their values are equal too, one factorization
 * does for all.
 */
struct EqualBlocks {
  PatternPtr pattern;                    ///< of one of them
  std::vector<std::vector<Index>> rows;  ///< of the whole matrix, for each block, ascending
};

/// Nothing where the matrix hangs together, is diagonal, or its parts have different patterns.
std::optional<EqualBlocks> find_equal_blocks(const SquarePattern& pattern);

/// The values of one block; nothing where blocks differ in any value.
template <class Scalar>
std::optional<std::vector<Scalar>> common_values(const EqualBlocks& blocks, const SquarePattern& pattern,
                                                 const std::vector<Scalar>& values);

/// All blocks are solved for at once, as right-hand sides of one. Its report is that of the block: entries
/// and memory of its factors, and what else could have been taken.
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_equal_blocks(const EqualBlocks& blocks,
                                                        FactorizationPtr<Scalar> of_one);

}  // namespace halfdof
