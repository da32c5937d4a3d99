// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>

namespace halfdof::trilinos {

/**
 * Checks a factorization by the solution of A x = b for two fixed right-hand sides b, whose entries have the
 * size of the row norms of A, and by the corrections d = A^{-1}(b - A x) of one step of iterative refinement.
 *
 * - If d is not small compared with x, x has hardly a correct digit, and A is singular to working precision.
 *   The factorization itself does not detect this singularity, because rounding replaces a zero pivot by
 *   about 1e-16. The comparison of d and x does not depend on the scaling of the rows of A. Two right-hand
 *   sides are used, because a single d may be small by chance.
 * - Threshold pivoting prefers sparse pivots to large pivots and may therefore lose digits. If the backward
 *   error
 *   @f[ \omega = \max_i \frac{|b - A x|_i}{(|A||x| + |b|)_i} @f]
 *   (Oettli and Prager 1964) exceeds `largest_backward_error`, all later solves are refined once (Skeel
 *   1980).
 *
 * @throws SingularMatrix if A is singular to working precision
 */
template <class Scalar>
ReportedFactorizationPtr<Scalar> check_accuracy(ReportedFactorizationPtr<Scalar> factorization,
                                                const LinearCombination<Scalar>& A);

/// Throws the exception for a singular matrix, which names the columns in which a null vector of the matrix
/// is largest. Collective.
/// @param magnitudes The absolute values of the null vector
/// @throws SingularMatrix always
[[noreturn]] void throw_singular(const Partition& columns, const Vector& magnitudes);

/// Backward error of the trial solves up to which solves are not refined.
constexpr double largest_backward_error = 1e-13;

/// Largest relative correction |d| / |x| of a trial solve for which A counts as regular. Larger corrections
/// occur if the condition number is above about 1e14.
constexpr double largest_correction = 0.02;

}  // namespace halfdof::trilinos
