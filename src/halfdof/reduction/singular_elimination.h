// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/classification/classification.h>
#include <halfdof/reduction/attempt.h>
#include <halfdof/reduction/singular_cause.h>

#include <optional>
#include <string>

namespace halfdof::internal {

/// A matrix that may be singular: a diagonal block of D, D itself, the pencil or the stiffness.
template <class Engine>
struct SingularBlock {
  std::string name;  ///< "K_KK", "C_CC", "M_II", "D", pencil_block or stiffness_block
  typename Engine::Matrix matrix;
  Selection dofs;  ///< the free DoFs of its rows and columns
};

/// The factorization of a block with an estimate of the condition number of the block.
struct FactorizedBlock {
  FactorizationPtr<double> factorization;
  double condition;  ///< estimate of equilibrated_condition_number()
};

/**
 * Finds out whether and why a block is singular. The exception lists for each cause the DoFs (at most
 * ten in total, none of a regular part), the block, the likely cause and the remedy. The pattern is
 * checked first: it shows DoFs on which the block is singular for any values of the entries. The block
 * is repaired on these DoFs, and the repaired block is checked by one factorization and by its null
 * vectors, whose largest entries show the other singular DoFs. There is no result if the block is
 * regular. Collective.
 *
 * @param condition_limit The estimate of equilibrated_condition_number() from which on a block
 *     counts as singular
 */
template <class Engine>
std::optional<SingularElimination> find_singular(const FreeSystem<Engine>& system,
                                                 const Classification& classification,
                                                 const SingularBlock<Engine>& block, double condition_limit);

/// Returns whether all entries of a row, or of a column, are zero in M, C and K. In this case P is
/// singular in all coordinates. Collective.
template <class Engine>
bool has_zero_rows_or_columns(const FreeSystem<Engine>& system);

/// Factorizes a block that is not empty. The attempt is refused with the SingularElimination of
/// find_singular() if the factorization fails or the condition estimate reaches the limit. Collective.
template <class Engine>
Attempt<FactorizedBlock> factorize_block(const FreeSystem<Engine>& system,
                                         const Classification& classification,
                                         const SingularBlock<Engine>& block,
                                         const FactorizationOptions& options, double condition_limit);

}  // namespace halfdof::internal
