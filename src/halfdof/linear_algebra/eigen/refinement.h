// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/**
 * Adds one step of iterative refinement, x += A^{-1}(b - A x), to all solves with a factorization if its
 * accuracy requires refinement. Threshold pivoting prefers sparse pivots to large pivots and may therefore
 * lose digits. One refinement step in working precision restores these digits (Skeel 1980), but more than
 * doubles the time of every solve, on which time steps spend most of their time. Therefore the backward error
 * @f[ \omega = \max_i \frac{|b - A\hat x|_i}{(|A||\hat x| + |b|)_i} @f]
 * (Oettli and Prager 1964) of one trial solve with the solution x^ is computed first. All solves are refined
 * if the backward error is above `largest_backward_error`.
 */
template <class Scalar>
ReportedFactorizationPtr<Scalar> with_refinement(ReportedFactorizationPtr<Scalar> factorization,
                                                 PatternPtr pattern, const std::vector<Scalar>& values);

/// Backward error of a trial solve up to which solves are not refined.
constexpr double largest_backward_error = 1e-13;

}  // namespace halfdof::internal
