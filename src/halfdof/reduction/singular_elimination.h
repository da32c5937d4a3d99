#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/classification/classification.h>

#include <string>

namespace halfdof {

/// The name of lambda^2 M + lambda C + K at some lambda, where that is the block.
constexpr const char* pencil_block = "pencil";

/// A diagonal block of D that cannot be factorized, D itself, or the pencil.
template <class Engine>
struct SingularBlock {
  std::string name;  ///< "K_KK", "C_CC", "M_II", "D" or pencil_block
  typename Engine::Matrix matrix;
  Selection dofs;  ///< its rows and columns among the free DoFs
};

/**
 * Says why a block is singular: names the DoFs (largest entries of the null vectors, at most ten, none of a
 * healthy part), the block, the likely cause and the remedy. DoFs without any connection and others that are
 * singular besides are named apart. Collective.
 */
template <class Engine>
SingularElimination singular_elimination(const FreeSystem<Engine>& system,
                                         const Classification& classification,
                                         const SingularBlock<Engine>& block);

struct FactorizedBlock {
  FactorizationPtr<double> factorization;
  double condition;  ///< estimate of condition_number()
};

/// Factorizes a block that is not empty. Collective.
/// @throws SingularElimination as above where that fails, or the condition reaches the limit
template <class Engine>
FactorizedBlock factorize_block(const FreeSystem<Engine>& system, const Classification& classification,
                                const SingularBlock<Engine>& block, const FactorizationOptions& options,
                                double condition_limit);

}  // namespace halfdof
