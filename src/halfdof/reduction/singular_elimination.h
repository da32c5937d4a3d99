#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/classification/classification.h>
#include <halfdof/reduction/singular_cause.h>

#include <optional>
#include <string>

namespace halfdof {

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
 * What makes a block singular, if anything: the DoFs (at most ten, none of a healthy part), the block, the
 * likely cause and the remedy, each cause apart. The pattern first: what it makes singular whatever the
 * values needs no numbers and hides none of the rest. Then one factorization, null vectors, and the DoFs of
 * their largest entries. Collective.
 *
 * @param condition_limit estimate of condition_number() above which a block counts as singular
 */
template <class Engine>
std::optional<SingularElimination> find_singular(const FreeSystem<Engine>& system,
                                                 const Classification& classification,
                                                 const SingularBlock<Engine>& block, double condition_limit);

/// Whether all entries of a row, or of a column, are zero in M, C and K: no coordinates make P regular then.
/// Collective.
template <class Engine>
bool has_zero_lines(const FreeSystem<Engine>& system);

/// Factorizes a block that is not empty. Collective.
/// @throws SingularElimination, as above, where that fails or the condition reaches the limit
template <class Engine>
FactorizedBlock factorize_block(const FreeSystem<Engine>& system, const Classification& classification,
                                const SingularBlock<Engine>& block, const FactorizationOptions& options,
                                double condition_limit);

}  // namespace halfdof
