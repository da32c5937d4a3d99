#pragma once

#include <halfdof/reduction/state_dependence.h>

#include <string>

namespace halfdof {

/**
 * Holds the tangents T of a StateForce p against difference quotients of its forces, along one pseudo-random
 * direction d for each of q, q' and q'' on which p may depend:
 * @f[ \frac{p(x + h d) - p(x)}{h}, \quad \frac{p(x) - p(x - h d)}{h} \quad \text{beside} \quad T d , @f]
 * at the h of a row of powers of two at which their mean changes least with h. In each equation T d has to
 * lie between both, which differ at kinks, within 1e-3 of what its linear and tangent terms, and the
 * quotient, amount to. Where no h settles the quotients to so much, nothing is found.
 *
 * Each entry of d is of the size of its own of x, or of the largest one where that is zero; a variable that
 * is zero everywhere is moved by one and by parts of it down to 2^-60. Equations whose force does not change
 * at all are not judged: the motion may be rounded in sums that the force makes.
 *
 * Costs 21 to 27 forces for each variable. Collective.
 * @return A sentence with the equation of the largest difference; empty where there is none
 */
template <class Engine>
std::string tangent_mismatch(const StateDependence<Engine>& of_state);

}  // namespace halfdof
