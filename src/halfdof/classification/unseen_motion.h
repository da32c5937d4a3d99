#pragma once

#include <halfdof/classification/classification.h>

namespace halfdof {

/**
 * Holds a StateForce against what no state tells: rates of algebraic DoFs and accelerations of half DoFs,
 * which are zero in the motions that it is called with, so that forces on them would be lost. Each is tried
 * at plus and minus the largest rate (acceleration) in the given motion, or one where that is zero.
 * Collective.
 * @throws InvalidInput if the forces change, naming one of the DoFs
 */
template <class Engine>
void check_unseen_motion(const AssembledSystem<Engine>& system, const Classification& declared, double time,
                         const LiftedState& motion);

}  // namespace halfdof
