// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/**
 * Adds one step of iterative refinement, x += A^{-1}(b - A x), to all solves if it is needed. Threshold
 * pivoting prefers sparse pivots to large ones, which can cost digits. One refinement step in working
 * precision restores them (Skeel 1980), but more than doubles the time of every solve, which dominates the
 * time of a time step. Therefore the need is decided once, by the backward error of a solve for a known x:
 * @f[ \omega = \max_i \frac{|b - A\hat x|_i}{(|A||\hat x| + |b|)_i} @f]
 * (Oettli and Prager 1964). If it is above `largest_backward_error`, all solves are refined.
 */
template <class Scalar>
ReportedFactorizationPtr<Scalar> with_refinement(ReportedFactorizationPtr<Scalar> factorization,
                                                 PatternPtr pattern, const std::vector<Scalar>& values);

constexpr double largest_backward_error = 1e-13;

}  // namespace halfdof::internal
