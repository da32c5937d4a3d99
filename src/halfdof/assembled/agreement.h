#pragma once

#include <halfdof/assembled/assembled_system.h>

namespace halfdof {

/**
 * The description with the same functions on all processes, so that all of them take part wherever one is
 * evaluated. A load, a prescribed motion and right sides of constraints may be given by some processes only:
 *
 * * where a process gives no load, its entries of f and f' are zero;
 * * where a process gives none of q_D, q_D', q_D'', q_D''' (or of b and its derivatives), its constrained
 *   DoFs (its multipliers) rest at zero, and so do those of a process that owns none;
 * * a derivative that one process gives, and another one that moves its DoFs does not, is given by none.
 *
 * @throws InvalidInput on all processes if some give M, C or the state force, its tangents, its time
 *     derivative or its pattern and others do not, or if q_D of some and a derivative of others remain.
 *     Collective.
 */
template <class Engine>
SystemDescription<Engine> agreed(SystemDescription<Engine> description);

}  // namespace halfdof
