// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * Positive factors, powers of two, that scale the entries of a pencil to values near one:
 * @f[ E_b = \gamma R E S, \qquad A_b = R A S, \qquad \lambda(E, A) = \gamma\,\lambda(E_b, A_b), @f]
 * with R = diag(rows), S = diag(columns) and @f$\gamma@f$ = rate, the unit of the eigenvalues [1/time].
 */
struct PencilBalance {
  Vector rows;
  Vector columns;
  double rate = 1;

  /// Returns E_b.
  MultiVector balanced_E(ConstView<double> E) const {
    return rate * (rows.asDiagonal() * E * columns.asDiagonal());
  }
  /// Returns A_b.
  MultiVector balanced_A(ConstView<double> A) const { return rows.asDiagonal() * A * columns.asDiagonal(); }
};

/**
 * Computes the factors by least squares of the logarithms of all nonzero entries (Curtis and Reid, J. Inst.
 * Maths Applics 10, 1972) of both matrices together. Rescaling of rows, columns or the unit of time
 * therefore changes the result by at most a factor of two. Then equilibrating_scales() of the larger entry
 * of both matrices scales the largest entries of rows and columns to one. Entries below 1e-15 of the
 * largest entry of their row or column count as rounded zeros and are ignored. Shapes: n x n each.
 */
PencilBalance balance(ConstView<double> E, ConstView<double> A);

}  // namespace halfdof::internal
