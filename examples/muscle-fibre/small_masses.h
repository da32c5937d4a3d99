// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "motion.h"

/**
 * Integrates the fibre with an additional mass on every node by the event-driven integrator, without the
 * Weierstrass form. As the masses go to zero, the motion converges to the motion of the fibre without them,
 * but the equations become stiffer.
 */
FibreMotion with_small_masses(const Fibre& fibre, double mass, double end, int n_shown);

/// Returns the error message of the elimination by null columns, or an empty text if the elimination is
/// possible.
std::string refusal_by_null_columns(const Fibre& fibre);
