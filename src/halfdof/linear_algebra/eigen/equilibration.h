// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/**
 * The scaled matrix @f$ \tilde A = R A S @f$ with diagonal matrices R and S that remove the effect of the
 * units of rows and columns. Threshold pivoting compares entries of different rows: without scaling, the
 * choice of pivots would depend on the units of the rows and columns (newtons and coulombs, metres and
 * volts).
 *
 * If the largest entries of rows or columns differ by a factor of more than a thousand, R and S first
 * minimize
 * @f$ \sum_{a_{ij} \ne 0} (\log|r_i a_{ij} s_j|)^2 @f$ (Curtis and Reid 1972; a few iterations that average
 * rows and columns alternately). The minimum does not depend on the given units. Then the rows and columns
 * are scaled so that the largest entry of each is near one (Ruiz 2001). R and S contain powers of two, so
 * that the scaling causes no rounding errors, and are computed with integer exponents, which cannot overflow.
 * The function equilibrating_scales() does only the second step, for dense matrices.
 */
template <class Scalar>
struct EquilibratedMatrix {
  Vector row_factors;
  Vector column_factors;
  std::vector<Scalar> values;  ///< values of the scaled matrix
};

/// Equilibrates the rows and columns of the matrix with the given pattern and values.
template <class Scalar>
EquilibratedMatrix<Scalar> equilibrated(const SquarePattern& pattern, const std::vector<Scalar>& values);

/// Converts a factorization of the scaled matrix R A S to a factorization of A, which solves
/// x = S (R A S)^{-1} R b.
template <class Scalar>
ReportedFactorizationPtr<Scalar> undo_scaling(ReportedFactorizationPtr<Scalar> factorization,
                                              Vector row_factors, Vector column_factors);

}  // namespace halfdof::internal
