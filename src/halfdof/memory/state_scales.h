// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

namespace halfdof::internal {

/**
 * Returns scaling factors of the states of a reduced system, rounded to powers of two, that balance the state
 * matrix: 1/sqrt(K_ii) for a displacement and 1/sqrt(M_ii) for a rate, from the diagonals of the assembled
 * matrices. The usual balancing of the state matrix itself is not used, because it would amplify rounding
 * errors of K, for example if a body floats on DoFs without mass. The function works on one process and
 * computes products of shape n_dofs x N_s. Shape: N_s
 */
template <class Engine>
Vector state_scales(const ReducedSystem<Engine>& reduced);

}  // namespace halfdof::internal
