#pragma once

#include <halfdof/base/types.h>

#include <optional>

namespace halfdof {

/**
 * The coefficients z of the smallest norm for which lower <= N z <= upper: the least distance programming of
 * Lawson and Hanson (1974), Algorithm LDP (23.27), whose nonnegative least squares, Algorithm NNLS (23.10),
 * find the bounds that are active. From these z is solved for, as their multipliers lose digits where hardly
 * any z obeys the bounds.
 *
 * @param N n x k, with entries of at most one
 * @param lower, upper n entries each; infinite where there is no bound
 * @return k coefficients; none where no z obeys the bounds
 */
std::optional<Vector> least_within_bounds(const MultiVector& N, const Vector& lower, const Vector& upper);

}  // namespace halfdof
