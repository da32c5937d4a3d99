// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "chain.h"

/**
 * Prints how the cases go over into each other, for n nodes: displacements against those of the limit.
 * - k_n -> 0: a soft spring whose end is moved by x = -F_{n+1} / k_n pulls with F_{n+1} + k_n v_n, and in the
 *   limit with the known force: first order in k_n, whatever the inertia (Remark 3.1).
 * - m -> 0: dynamical to semi-dynamical, and both to quasistatic.
 * @throws Error if a limit is missed
 */
void compare_limits(halfdof::Index n);
