#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/classification/classification.h>

#include <string>

namespace halfdof {

/// A diagonal block of D that cannot be factorized.
template <class Engine>
struct SingularBlock {
  std::string name;  ///< "K_KK", "C_CC", "M_II" or "D"
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

}  // namespace halfdof
