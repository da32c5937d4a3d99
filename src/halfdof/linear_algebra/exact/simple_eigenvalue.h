#pragma once

#include <halfdof/base/types.h>

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

/// Whether rounding of the entries may send one of k simple eigenvalues to infinity: its inverse, an
/// eigenvalue of @f$ \mu^2 K + \mu C + M @f$ with the same vectors, is not told from zero. Rounding makes a
/// ring of a Jordan block of order k, whose members are k times as far from zero as rounding moves each.
/// Shapes: n x n.
bool may_be_infinite(ConstView<double> M, ConstView<double> C, ConstView<double> K, Complex lambda, Index k);

}  // namespace halfdof
