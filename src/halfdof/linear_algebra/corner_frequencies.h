// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/**
 * Returns the corner frequencies @f$ \lambda @f$ [1/s] of the rows of an equation of motion, ascending: a
 * corner frequency is a @f$ \lambda @f$ at which the two largest of the inertial, the damping and the elastic
 * term
 * @f$ \lambda^2 m_i,\ \lambda c_i,\ k_i @f$ of a row i are equal. Row i has the corner frequencies k/c and
 * c/m if
 * @f$ c^2 \ge m k @f$, otherwise @f$ \sqrt{k/m} @f$. Frequencies of zero or infinity are omitted, and so are
 * frequencies below ten times the preceding one. If more than max_count frequencies remain (max_count >= 2),
 * a selection that includes the lowest and the highest is returned.
 */
std::vector<double> corner_frequencies(const Vector& m, const Vector& c, const Vector& k,
                                       std::size_t max_count);

}  // namespace halfdof::internal
