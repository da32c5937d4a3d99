// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>

namespace halfdof::trilinos {

/**
 * Checks a factorization by the solution of A x = b for two fixed right-hand sides b, whose entries are of
 * the size of the rows of A, and by the corrections d = A^{-1}(b - A x) of one step of refinement.
 *
 * - If d is not small compared with x, hardly a digit of x is correct: A is singular to working precision.
 *   The factorization itself does not detect this, because rounding replaces a zero pivot by about 1e-16. The
 *   comparison of d and x does not depend on the scaling of rows and columns of A. Two right-hand sides are
 *   used, because a single d may be small by chance.
 * - Threshold pivoting prefers sparse pivots to large ones, which can cost digits. If the backward error
 *   @f[ \omega = \max_i \frac{|b - A x|_i}{(|A||x| + |b|)_i} @f]
 *   (Oettli and Prager 1964) exceeds `largest_backward_error`, all later solves are refined once (Skeel
 *   1980).
 *
 * @throws SingularMatrix
 */
template <class Scalar>
ReportedFactorizationPtr<Scalar> checked(ReportedFactorizationPtr<Scalar> factorization,
                                         const Combination<Scalar>& A);

/// Reports a singular matrix and the columns in which its null vector is largest. Collective.
/// @param magnitudes The absolute values of the null vector
/// @throws SingularMatrix always
[[noreturn]] void refuse_null_vector(const Partition& columns, const Vector& magnitudes);

constexpr double largest_backward_error = 1e-13;

/// Largest |d| / |x| for which A counts as regular; larger values mean condition numbers above about 1e14.
constexpr double largest_correction = 0.02;

}  // namespace halfdof::trilinos
