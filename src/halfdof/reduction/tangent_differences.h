// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/linearized_state_force.h>

#include <string>

namespace halfdof::internal {

/**
 * Compares the tangents T of a StateForce p with difference quotients of its forces, along one pseudo-random
 * direction d for each of q, q' and q'' on which p may depend:
 * @f[ \frac{p(x + h d) - p(x)}{h}, \quad \frac{p(x) - p(x - h d)}{h} \quad \text{with} \quad T d . @f]
 * The step h is chosen from a sequence of powers of two so that the mean of both quotients changes
 * least with h. In each equation T d must lie between the two quotients (which differ at kinks) with a
 * tolerance of 1e-3, relative to the sum of the magnitudes of its linear and tangent terms and the
 * quotient. If the quotients change by more than this tolerance at all h, no mismatch is reported.
 *
 * Each entry of d has the magnitude of the same entry of x, or of the largest entry of x if that entry
 * is zero; a variable that is zero everywhere is varied by one and fractions of one down to 2^-60.
 * Equations whose force does not change are not checked, because the variation may be lost by rounding
 * inside the force.
 *
 * The comparison takes 21 to 27 evaluations of the force for each variable. Collective.
 * @return A sentence with the equation of the largest difference; empty if there is no mismatch
 */
template <class Engine>
std::string tangent_mismatch(const LinearizedStateForce<Engine>& of_state);

}  // namespace halfdof::internal
