#pragma once

#include <halfdof/linear_algebra/engine.h>

namespace halfdof {

/**
 * Lower bound, nearly always within a factor of three, of @f$\|A^{-1}\|_1@f$ from a few solves with A and A^T
 * (Hager 1984; Higham 1988, Algorithm 4.1, with his final alternating vector).
 *
 * @param solve,solve_transposed x -> A^{-1} x and x -> A^{-T} x. Collective.
 */
double estimate_inverse_norm(const LinearOperator& solve, const LinearOperator& solve_transposed,
                             const Partition& rows);

/// Positive row and column factors.
struct Equilibration {
  Vector rows;
  Vector columns;
};

/**
 * Factors R, S for which the rows and columns of |R A S| sum to about one (a few sweeps of Ruiz 2001, in the
 * 1-norm). Null rows and columns keep the factor one. Collective.
 */
template <class Engine>
Equilibration equilibrate(const typename Engine::Matrix& A);

/// Estimate of the 1-norm condition number of R A S; one for a diagonal matrix. Collective.
template <class Engine>
double condition_number(const typename Engine::Matrix& A, const Factorization<double>& factorization);

}  // namespace halfdof
