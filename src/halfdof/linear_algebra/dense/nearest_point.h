// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <optional>

namespace halfdof::internal {

/// Returns the vector u >= 0 that minimizes |E u - f|, by Algorithm NNLS (23.10) of Lawson and Hanson (1974).
/// Columns of E and f must have norms of about one.
Vector nonnegative_least_squares(const MultiVector& E, const Vector& f);

/**
 * Finds the coefficients z of smallest norm with lower <= N z <= upper, by least distance programming (Lawson
 * and Hanson 1974, Algorithm LDP, 23.27). The active bounds are determined by a nonnegative least-squares
 * problem (Algorithm NNLS, 23.10). z is then computed from the active bounds and not from their multipliers,
 * which lose digits if the set of admissible z is very small.
 *
 * @param N n x k, with entries of at most one
 * @param lower,upper n entries each; a missing bound is infinite
 * @return k coefficients; no value if no z satisfies the bounds
 */
std::optional<Vector> least_norm_within_bounds(const MultiVector& N, const Vector& lower,
                                               const Vector& upper);

}  // namespace halfdof::internal
