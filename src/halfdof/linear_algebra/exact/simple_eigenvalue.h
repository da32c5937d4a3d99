#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * How far rounding of the entries moves a simple eigenvalue with its right and left vectors x and y, whatever
 * others are near [1/s]: the root r of
 * @f$ r\,|y^T P'(\lambda)\, x| + r^2 |y^T M x| = u\, |y|^T T(\lambda)\, |x| @f$ with
 * @f$ T = |\lambda|^2 |M| + |\lambda| |C| + |K| @f$ and half the machine epsilon u (Higham and Higham, 1998).
 * The square term counts where r is as large as the distance of a pair about zero. Shapes: M, C, K n x n, x
 * and y n.
 */
double rounding_of_simple_eigenvalue(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                     Complex lambda, const ComplexVector& x, const ComplexVector& y);

/**
 * Those of some simple eigenvalues, none of them zero, that rounding of the entries cannot send to infinity:
 * the inverse of each is an eigenvalue of @f$ \mu^2 K + \mu C + M @f$ with the same vectors, and is told from
 * zero. Rounding makes a ring of a Jordan block of order k at infinity, whose members are k times as far from
 * zero as rounding moves each: k is the number of given eigenvalues whose moduli are equal within a factor of
 * two. Shapes: M, C, K n x n.
 */
std::vector<Complex> surely_finite(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                   const std::vector<Complex>& eigenvalues);

}  // namespace halfdof
