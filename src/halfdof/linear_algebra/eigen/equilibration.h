#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof {

/**
 * @f$ \tilde A = R A S @f$ with diagonal R, S that bring the largest entry of every row and every column near
 * one (Ruiz 2001, maximum norm). Threshold pivoting compares entries of different rows: where the rows (or,
 * through their largest entries, the columns) carry different units, it would choose by unit. R and S hold
 * powers of two, so that scaling rounds nothing.
 */
template <class Scalar>
struct Equilibrated {
  Vector row_factors;
  Vector column_factors;
  std::vector<Scalar> values;  ///< of the scaled matrix
};

template <class Scalar>
Equilibrated<Scalar> equilibrated(const SquarePattern& pattern, const std::vector<Scalar>& values);

/// From a factorization of R A S one of A: x = S (R A S)^{-1} R b.
template <class Scalar>
ReportedFactorizationPtr<Scalar> unscaled(ReportedFactorizationPtr<Scalar> factorization, Vector row_factors,
                                          Vector column_factors);

}  // namespace halfdof
