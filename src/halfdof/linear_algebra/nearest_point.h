#pragma once

#include <halfdof/base/types.h>

#include <optional>

namespace halfdof {

/**
 * The coefficients z of the smallest norm for which lower <= N z <= upper: the least distance programming of
 * Lawson and Hanson (1974), Algorithm LDP (23.27), by their nonnegative least squares, Algorithm NNLS (23.10).
 * Each ends after finitely many systems of least squares.
 *
 * @param N n x k, with entries of at most one
 * @param lower, upper n entries each; infinite where there is no bound
 * @return k coefficients; none where no z obeys the bounds
 */
std::optional<Vector> least_within_bounds(const MultiVector& N, const Vector& lower, const Vector& upper);

}  // namespace halfdof
