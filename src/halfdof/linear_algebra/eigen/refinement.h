#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof {

/**
 * Adds one step of iterative refinement, x += A^{-1}(b - A x), where it is needed. Threshold pivoting prefers
 * sparse pivots to large ones, which can cost digits; one step in working precision gives them back (Skeel
 * 1980), but more than doubles the time of every solve, which is the inner kernel of a time step. So it is
 * decided here, once: one solve for a known x measures the backward error
 * @f[ \omega = \max_i \frac{|b - A\hat x|_i}{(|A||\hat x| + |b|)_i} @f]
 * (Oettli and Prager 1964), and above `largest_backward_error` all solves are refined.
 */
template <class Scalar>
ReportedFactorizationPtr<Scalar> with_refinement(ReportedFactorizationPtr<Scalar> factorization,
                                                 PatternPtr pattern, const std::vector<Scalar>& values);

constexpr double largest_backward_error = 1e-13;

}  // namespace halfdof
