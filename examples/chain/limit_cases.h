// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "chain.h"

/**
 * Prints the convergence of one case to another for n nodes, as differences of displacements from the limit.
 * - k_n -> 0: a soft spring whose end is moved by x = -F_{n+1} / k_n pulls with the force F_{n+1} + k_n v_n.
 * The
 *   limit is the case of a known force. The convergence is of first order in k_n for any inertia (Remark
 *   3.1).
 * - m -> 0: the dynamical case converges to the semi-dynamical case, and both converge to the quasistatic
 * case.
 * @throws Error if the convergence is too slow
 */
void compare_limits(halfdof::Index n);
