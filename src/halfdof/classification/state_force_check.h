// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/classification/classification.h>

namespace halfdof::internal {

/**
 * Checks that a StateForce does not depend on the rates of algebraic DoFs or on the accelerations of
 * half DoFs. No state contains these rates and accelerations, and they are zero in every motion with
 * which the force is called, so forces that depend on them would be lost. The force is evaluated with
 * each of these quantities changed by plus and minus the largest rate (acceleration) in the given
 * motion, or by one if the largest rate (acceleration) is zero. Collective.
 * @throws InvalidInput if the forces change; the message names one of the DoFs
 */
template <class Engine>
void check_force_depends_on_states_only(const AssembledSystem<Engine>& system, const Classification& declared,
                                        double time, const AssembledMotion& motion);

}  // namespace halfdof::internal
