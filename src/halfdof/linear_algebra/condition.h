// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>
#include <halfdof/linear_algebra/scaling/equilibrating_scales.h>

namespace halfdof::internal {

/**
 * Estimates @f$\|A^{-1}\|_1@f$ from below by a few solves with A and A^T (Hager 1984; Higham 1988,
 * Algorithm 4.1, with its final alternating vector). The estimate is nearly always within a factor of three.
 *
 * The first solve, with a vector x of pseudo-random entries between 0 and 2, also yields an upper bound: with
 * a probability of 99 percent (Dixon 1983)
 * @f[ \|A^{-1}\|_1 \le \sqrt{n}\,\|A^{-1}\|_2 \le 100 \sqrt{3n}\,\|A^{-1} x\|_2, @f]
 * and with a probability of 99.999 percent the norm is at most a thousand times this bound.
 *
 * @param solve,solve_transposed x -> A^{-1} x and x -> A^{-T} x. Collective.
 * @param coarse_below If the upper bound is smaller than this number, the coarse estimate from the first
 *   solve is returned, and no other solve is needed
 */
double estimate_inverse_norm(const LinearOperator& solve, const LinearOperator& solve_transposed,
                             const Partition& rows, double coarse_below = 0);

/**
 * Returns diagonal scale factors R, S for which the rows and columns of |R A S| have a 1-norm of about one
 * (at most five sweeps of the method of Ruiz 2001 in the 1-norm). Unlike the factors of
 * equilibrating_scales(), R and S are no powers of two, and equilibrate sums of entries instead of largest
 * entries. Null rows and columns have the factor one. Collective.
 */
template <class Engine>
RowColumnScales equilibrate(const typename Engine::Matrix& A);

/// Estimates the 1-norm condition number of R A S, where R and S are the scale factors of equilibrate(). The
/// result is one for a diagonal matrix. Collective.
/// @param coarse_if_below If the condition number is certainly smaller than this number, a coarse estimate is
///     returned
template <class Engine>
double equilibrated_condition_number(const typename Engine::Matrix& A,
                                     const Factorization<double>& factorization, double coarse_if_below = 0);

}  // namespace halfdof::internal
