// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/**
 * Returns how far rounding of the entries of M, C and K can move a simple eigenvalue [1/s] with right and
 * left eigenvectors x and y. Other eigenvalues may be arbitrarily near. The distance is the root r of
 * @f$ r\,|y^T P'(\lambda)\, x| + r^2 |y^T M x| = u\, |y|^T T(\lambda)\, |x| @f$ with
 * @f$ T = |\lambda|^2 |M| + |\lambda| |C| + |K| @f$ and the unit roundoff u, half the machine epsilon (Higham
 * and Higham, 1998). The quadratic term matters if r is as large as the distance between a pair of
 * eigenvalues near zero. Shapes: M, C, K n x n, x and y n.
 */
double rounding_of_simple_eigenvalue(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                     Complex lambda, const ComplexVector& x, const ComplexVector& y);

/**
 * Returns those of some simple nonzero eigenvalues that are certainly finite for exact entries. The inverse
 * mu of each eigenvalue is an eigenvalue of @f$ \mu^2 K + \mu C + M @f$ with the same vectors, and must be
 * clearly farther from zero than rounding of the entries can move it. Rounding splits a Jordan block of order
 * k at infinity into a ring of eigenvalues mu, which are k times as far from zero as rounding moves each of
 * them. k is taken as the number of given eigenvalues whose moduli are equal within a factor of two. Shapes:
 * M, C, K n x n.
 */
std::vector<Complex> surely_finite(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                   const std::vector<Complex>& eigenvalues);

}  // namespace halfdof::internal
