#pragma once

#include <halfdof/linear_algebra/engine.h>

namespace halfdof {

/**
 * Lower bound, nearly always within a factor of three, of @f$\|A^{-1}\|_1@f$ from a few solves with A and A^T
 * (Hager 1984; Higham 1988, Algorithm 4.1, with his final alternating vector).
 *
 * The first one, with a vector x of pseudo-random entries between 0 and 2, also bounds the norm from above:
 * with a probability of 99 percent (Dixon 1983)
 * @f[ \|A^{-1}\|_1 \le \sqrt{n}\,\|A^{-1}\|_2 \le 100 \sqrt{3n}\,\|A^{-1} x\|_2, @f]
 * and with one of 99.999 percent a thousand times that. What cannot be large is not looked at more closely.
 *
 * @param solve,solve_transposed x -> A^{-1} x and x -> A^{-T} x. Collective.
 * @param matters Where the upper bound is below, the estimate is that of the first solve.
 */
double estimate_inverse_norm(const LinearOperator& solve, const LinearOperator& solve_transposed,
                             const Partition& rows, double matters = 0);

/// Positive row and column factors.
struct Equilibration {
  Vector rows;
  Vector columns;
};

/**
 * Factors R, S for which the rows and columns of |R A S| sum to about one (a few sweeps of Ruiz 2001, in the
 * 1-norm, at most five). Null rows and columns keep the factor one. Collective.
 */
template <class Engine>
Equilibration equilibrate(const typename Engine::Matrix& A);

/// Estimate of the 1-norm condition number of R A S; one for a diagonal matrix. Collective.
/// @param matters Far below, the estimate is coarse.
template <class Engine>
double condition_number(const typename Engine::Matrix& A, const Factorization<double>& factorization,
                        double matters = 0);

}  // namespace halfdof
