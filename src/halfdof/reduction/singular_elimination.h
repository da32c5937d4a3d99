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

/// A diagonal block of D that cannot be factorized, D itself, or the pencil.
template <class Engine>
struct SingularBlock {
  std::string name;  ///< "K_KK", "C_CC", "M_II", "D", pencil_block or stiffness_block
  typename Engine::Matrix matrix;
  Selection dofs;  ///< its rows and columns among the free DoFs
};

struct FactorizedBlock {
  FactorizationPtr<double> factorization;
  double condition;  ///< estimate of condition_number()
};

/**
 * Finds why a block is singular. The exception lists for each cause the DoFs (at most ten in total, none of a
 * regular part), the block, the likely cause and the remedy. The pattern is checked first: it reveals DoFs on
 * which the block is singular for any values of the entries. These are repaired, and the rest is checked by
 * one factorization, null vectors, and the DoFs of their largest entries. No value if the block is regular.
 * Collective.
 *
 * @param condition_limit Estimate of condition_number() at which a block counts as singular
 */
template <class Engine>
std::optional<SingularElimination> find_singular(const FreeSystem<Engine>& system,
                                                 const Classification& classification,
                                                 const SingularBlock<Engine>& block, double condition_limit);

/// Whether all entries of a row, or of a column, are zero in M, C and K: then P is singular in all
/// coordinates. Collective.
template <class Engine>
bool has_zero_rows_or_columns(const FreeSystem<Engine>& system);

/// Factorizes a block that is not empty. Refuses it with a SingularElimination, as above, if the
/// factorization fails or the condition reaches the limit. Collective.
template <class Engine>
Attempt<FactorizedBlock> factorize_block(const FreeSystem<Engine>& system,
                                         const Classification& classification,
                                         const SingularBlock<Engine>& block,
                                         const FactorizationOptions& options, double condition_limit);

}  // namespace halfdof::internal
