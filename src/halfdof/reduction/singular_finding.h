// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/singular_cause.h>
#include <halfdof/reduction/singular_elimination.h>

#include <vector>

namespace halfdof::internal {

/// DoFs of a block that are singular for the same cause.
struct SingularFinding {
  Vector weights;  ///< one for each local DoF of the block; zero if the finding does not concern it
  SingularCause cause;
};

/// Entries of null vectors below this fraction of the largest belong to regular parts of a block.
constexpr double healthy = 1e-3;

/**
 * Findings that follow from the pattern of a block for any values of its entries, and the repaired block:
 * entries of the size of the block are added at pairs of unmatched rows and columns, so that these findings
 * disappear. The structural rank is determined on one process only; on several processes, only DoFs without
 * any connection are found. Collective.
 */
template <class Engine>
struct PatternFindings {
  std::vector<SingularFinding> findings;
  typename Engine::Matrix mended;  ///< the repaired block
};

template <class Engine>
PatternFindings<Engine> findings_of_pattern(const FreeSystem<Engine>& system,
                                            const SingularBlock<Engine>& block);

/**
 * Findings that follow from the null vectors of a singular block. If the left null vectors have entries on
 * far fewer DoFs than the right ones, the cause is dependent equations; otherwise it is a cause of unknowns.
 * On one process, groups of DoFs that share no equation are separate findings. Costs one factorization.
 * Collective.
 */
struct NumericalFindings {
  std::vector<SingularFinding> findings;  ///< for a regular block, from the vectors nearest to null vectors
  double residual;                        ///< NullSpaces::residual
};

/// Refuses matrices that null_spaces() refuses. @param matrix The block, or the repaired block of
/// findings_of_pattern()
template <class Engine>
Attempt<NumericalFindings> findings_of_numbers(const FreeSystem<Engine>& system,
                                               const Classification& classification,
                                               const SingularBlock<Engine>& block,
                                               const typename Engine::Matrix& matrix);

}  // namespace halfdof::internal
