// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

namespace halfdof::internal {

/**
 * Returns scales of the states of a reduced system, powers of two, in which coupled states have effects of
 * similar size on each other: 1/sqrt(K_ii) for a displacement, 1/sqrt(M_ii) for a rate, from the diagonals of
 * the assembled matrices. The state matrix itself does not determine such scales: where K contains only
 * rounding, as for bodies that float on DoFs without mass, balancing would take the rounding for data. It
 * needs one process, and products of n_dofs x N_s. Shape: N_s
 */
template <class Engine>
Vector state_scales(const ReducedSystem<Engine>& reduced);

}  // namespace halfdof::internal
