#pragma once

#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/**
 * The state near a given one at which nothing moves under the loads of its time, y' = 0, by Newton's
 * iteration
 * @f[ y \leftarrow y - A^{-1} \dot y, @f]
 * with A about each iterate where the system depends on its state; of a linear system in one step. It ends
 * where no displacement changes by more than NewtonOptions::tolerance of itself, whatever the units of
 * others, or by more than the rounding of the forces moves it.
 *
 * @throws NoConvergence by NewtonOptions; SingularMatrix if the tangent stiffness is singular on the way.
 * Collective.
 */
template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const State& guess);

}  // namespace halfdof
