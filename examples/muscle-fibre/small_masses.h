// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "motion.h"

/**
 * The same fibre with a mass on every node, by the library's event-driven integrator: nothing of the
 * Weierstrass form is used. It approaches the fibre without these masses as they go to zero, and gets
 * stiffer.
 */
FibreMotion with_small_masses(const Fibre& fibre, double mass, double end, int n_shown);

/// What the elimination by null columns has to say of the fibre: its message, empty if it accepts it.
std::string refusal_by_null_columns(const Fibre& fibre);
