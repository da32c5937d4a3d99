// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

namespace halfdof::internal {

/**
 * Returns the description with the same set of functions on all processes, so that all processes can evaluate
 * each of them collectively. Only some of the processes may give a load, a prescribed motion or right sides
 * of constraints:
 *
 * * where a process gives no load, its entries of f and f' are set to zero;
 * * where a process gives none of q_D, q_D', q_D'', q_D''' (or of b and its derivatives), its constrained
 *   DoFs (its multipliers) rest at zero; a process that owns none of these DoFs returns empty vectors;
 * * a derivative is removed on all processes if a process that prescribes a motion does not give it.
 *
 * @throws InvalidInput on all processes if M, C, the state force, its tangents, its time derivative or its
 *     pattern is given on some processes and missing on others, or if q_D is given on some processes and only
 *     derivatives of it on others. Collective.
 */
template <class Engine>
SystemDescription<Engine> agreed(SystemDescription<Engine> description);

}  // namespace halfdof::internal
