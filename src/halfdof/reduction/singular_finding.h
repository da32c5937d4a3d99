// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/singular_cause.h>
#include <halfdof/reduction/singular_elimination.h>

#include <vector>

namespace halfdof::internal {

/// A group of DoFs on which a block is singular, with the cause.
struct SingularFinding {
  Vector weights;  ///< one weight for each local DoF of the block; zero for DoFs outside of the group
  SingularCause cause;
};

/// Entries of null vectors below this fraction of the largest entry belong to DoFs on which the block
/// is regular.
constexpr double regular_part = 1e-3;

/**
 * Findings that follow from the pattern of a block for any values of its entries, and the repaired
 * block: entries of the size of the block are added at pairs of unmatched rows and columns, so that the
 * block has full structural rank. The structural rank is determined on one process only; on several
 * processes, only DoFs without any connection are found. Collective.
 */
template <class Engine>
struct PatternFindings {
  std::vector<SingularFinding> findings;
  typename Engine::Matrix repaired;  ///< the block with full structural rank
};

template <class Engine>
PatternFindings<Engine> pattern_findings(const FreeSystem<Engine>& system,
                                         const SingularBlock<Engine>& block);

/**
 * Findings that follow from the null vectors of a singular block. If the left null vectors have entries
 * on far fewer DoFs than the right ones, the cause is dependent equations; otherwise the cause is one
 * of the unknowns. On one process, groups of DoFs that share no equation are separate findings. The
 * computation takes one factorization. Collective.
 */
struct NumericalFindings {
  std::vector<SingularFinding> findings;  ///< for a regular block, findings of the vectors nearest to
                                          ///< null vectors
  double residual;                        ///< residual of the null vectors, NullSpaces::residual
};

/// Computes the null vectors of a matrix and their causes. The attempt is refused for matrices that
/// null_spaces() refuses. @param matrix The block, or the repaired block of pattern_findings()
template <class Engine>
Attempt<NumericalFindings> numerical_findings(const FreeSystem<Engine>& system,
                                              const Classification& classification,
                                              const SingularBlock<Engine>& block,
                                              const typename Engine::Matrix& matrix);

}  // namespace halfdof::internal
