#pragma once

#include <halfdof/reduction/singular_cause.h>
#include <halfdof/reduction/singular_elimination.h>

#include <vector>

namespace halfdof {

/// DoFs of a block that are singular for one reason.
struct SingularFinding {
  Vector weights;  ///< of the local DoFs of the block: how much each takes part
  SingularCause cause;
};

/// An entry of null vectors below this times the largest belongs to a healthy part.
constexpr double healthy = 1e-3;

/**
 * What the pattern of a block tells whatever the values of its entries, and the block with entries of its own
 * size at pairs of DoFs that no equation is left for, in which all of this is mended. Structure is looked at
 * on one process; on several, DoFs without any connection are found alone. Collective.
 */
template <class Engine>
struct PatternFindings {
  std::vector<SingularFinding> findings;
  typename Engine::Matrix mended;
};

template <class Engine>
PatternFindings<Engine> findings_of_pattern(const FreeSystem<Engine>& system,
                                            const SingularBlock<Engine>& block);

/**
 * What the null vectors of a singular block tell: where those of the rows are on far fewer DoFs than those of
 * the columns, equations that depend on one another, otherwise unknowns. On one process, DoFs that share no
 * equation are told apart. Costs one factorization. Collective.
 */
struct NumericalFindings {
  std::vector<SingularFinding> findings;  ///< of a regular block: what is nearest to a null vector
  double residual;                        ///< as NullSpaces
};

/// @param matrix the block's, or what findings_of_pattern() has mended
template <class Engine>
NumericalFindings findings_of_numbers(const FreeSystem<Engine>& system, const Classification& classification,
                                      const SingularBlock<Engine>& block,
                                      const typename Engine::Matrix& matrix);

}  // namespace halfdof
