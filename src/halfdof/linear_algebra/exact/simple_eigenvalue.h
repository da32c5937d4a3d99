// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/**
 * Returns the largest distance [1/s] by which rounding of the entries of M, C and K can move a simple
 * eigenvalue with right and left eigenvectors x and y. Other eigenvalues may be arbitrarily near. The
 * distance is the root r of
 * @f$ r\,|y^T P'(\lambda)\, x| + r^2 |y^T M x| = u\, |y|^T T(\lambda)\, |x| @f$ with
 * @f$ T = |\lambda|^2 |M| + |\lambda| |C| + |K| @f$ and the unit roundoff u, half the machine epsilon (Higham
 * and Higham, 1998). The quadratic term is significant if r is as large as the distance between a pair of
 * eigenvalues near zero. Shapes: M, C, K n x n, x and y n.
 */
double rounding_of_simple_eigenvalue(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                     Complex lambda, const ComplexVector& x, const ComplexVector& y);

/**
 * Selects the eigenvalues that are certainly finite for the entries before rounding, from a list of simple
 * nonzero eigenvalues for the rounded entries. The inverse mu of each eigenvalue is an eigenvalue of
 * @f$ \mu^2 K + \mu C + M @f$ with the same eigenvectors, and its distance from zero must be clearly larger
 * than the distance by which rounding of the entries can move it. Rounding splits a Jordan block of order k
 * at infinity into eigenvalues mu on a circle about zero, whose radius is k times the distance by which
 * rounding moves each of these mu. k is estimated as the number of given eigenvalues whose moduli are equal
 * within a factor of two. Shapes: M, C, K n x n.
 */
std::vector<Complex> certainly_finite_eigenvalues(ConstView<double> M, ConstView<double> C,
                                                  ConstView<double> K,
                                                  const std::vector<Complex>& eigenvalues);

}  // namespace halfdof::internal
