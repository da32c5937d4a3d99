// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

namespace halfdof::internal {

/**
 * Returns the description with the same set of functions on all processes, so that all processes can evaluate
 * each function collectively. In the given description, the load, the prescribed motion and the right sides
 * of
 * constraints may be missing on some processes:
 *
 * * if a process gives no load, the entries of f and f' that belong to this process are zero;
 * * if a process gives none of q_D, q_D', q_D'', q_D''' (none of b and its derivatives), the functions of
 *   this
 *   process are zero; a process that owns no constrained DoFs (no multipliers) returns empty vectors;
 * * a derivative is removed on all processes if a process that prescribes a motion does not give it.
 *
 * Collective.
 *
 * @throws InvalidInput on all processes if M, C, the state force, its tangents, its time derivative or its
 *     pattern is given on some processes and missing on others, or if some processes give q_D and other
 *     processes give only derivatives of q_D
 */
template <class Engine>
SystemDescription<Engine> with_common_functions(SystemDescription<Engine> description);

}  // namespace halfdof::internal
