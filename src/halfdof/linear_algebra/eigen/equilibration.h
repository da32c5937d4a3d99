// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/**
 * The scaled matrix @f$ \tilde A = R A S @f$ with diagonal R, S that remove the effect of the units of rows
 * and columns. Threshold pivoting compares entries of different rows: if rows and columns have different
 * units (newtons and coulombs, metres and volts), the choice of pivots would depend on the units.
 *
 * Where the largest entries of rows or columns differ by more than a thousand, R and S first minimize
 * @f$ \sum_{a_{ij} \ne 0} (\log|r_i a_{ij} s_j|)^2 @f$ (Curtis and Reid 1972; a few alternating means), which
 * does not depend on the units given. Then the largest entry of every row and every column is brought near
 * one (Ruiz 2001). R and S hold powers of two, so that scaling rounds nothing, and are computed with integer
 * exponents, which cannot overflow. The second part alone, for dense matrices, is equilibrating_scales().
 */
template <class Scalar>
struct Equilibrated {
  Vector row_factors;
  Vector column_factors;
  std::vector<Scalar> values;  ///< values of the scaled matrix
};

/// Scales the matrix with these values.
template <class Scalar>
Equilibrated<Scalar> equilibrated(const SquarePattern& pattern, const std::vector<Scalar>& values);

/// Returns a factorization of A from a factorization of R A S: x = S (R A S)^{-1} R b.
template <class Scalar>
ReportedFactorizationPtr<Scalar> unscaled(ReportedFactorizationPtr<Scalar> factorization, Vector row_factors,
                                          Vector column_factors);

}  // namespace halfdof::internal
