// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>
#include <halfdof/linear_algebra/scaling/equilibrating_scales.h>

namespace halfdof::internal {

/**
 * Estimates @f$\|A^{-1}\|_1@f$ by a lower bound from a few solves with A and A^T, nearly always within a
 * factor of three (Hager 1984; Higham 1988, Algorithm 4.1, with its final alternating vector).
 *
 * The first solve, with a vector x of pseudo-random entries between 0 and 2, also yields an upper bound: with
 * a probability of 99 percent (Dixon 1983)
 * @f[ \|A^{-1}\|_1 \le \sqrt{n}\,\|A^{-1}\|_2 \le 100 \sqrt{3n}\,\|A^{-1} x\|_2, @f]
 * and with a probability of 99.999 percent the norm is at most a thousand times this bound.
 *
 * @param solve,solve_transposed x -> A^{-1} x and x -> A^{-T} x. Collective.
 * @param matters If the upper bound is smaller, the (coarse) estimate of the first solve is returned.
 */
double estimate_inverse_norm(const LinearOperator& solve, const LinearOperator& solve_transposed,
                             const Partition& rows, double matters = 0);

/**
 * Returns diagonal factors R, S for which the rows and columns of |R A S| sum to about one (at most five
 * sweeps of the method of Ruiz 2001 in the 1-norm). They bound norms of distributed matrices, for which sums
 * matter, and are no powers of two, unlike equilibrating_scales(). Null rows and columns have the factor one.
 * Collective.
 */
template <class Engine>
RowColumnScales equilibrate(const typename Engine::Matrix& A);

/// Estimates the 1-norm condition number of R A S, with R and S of equilibrate(); one for a diagonal matrix.
/// Collective.
/// @param matters Condition numbers that are certainly smaller are estimated coarsely
template <class Engine>
double condition_number(const typename Engine::Matrix& A, const Factorization<double>& factorization,
                        double matters = 0);

}  // namespace halfdof::internal
