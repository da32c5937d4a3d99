#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * Positive factors, powers of two, by which the entries of a pencil come to about one:
 * @f[ E_b = \gamma R E S, \qquad A_b = R A S, \qquad \lambda(E, A) = \gamma\,\lambda(E_b, A_b), @f]
 * with R = diag(rows), S = diag(columns) and @f$\gamma@f$ = rate, the unit of the eigenvalues [1/time].
 */
struct PencilBalance {
  Vector rows;
  Vector columns;
  double rate = 1;

  /// E_b and A_b.
  MultiVector balanced_E(ConstView<double> E) const {
    return rate * (rows.asDiagonal() * E * columns.asDiagonal());
  }
  MultiVector balanced_A(ConstView<double> A) const { return rows.asDiagonal() * A * columns.asDiagonal(); }
};

/**
 * Least squares of the logarithms of all nonzero entries (Curtis and Reid, J. Inst. Maths Applics 10, 1972),
 * both matrices at once, so that rows, columns and the unit of time may be scaled at will without changing
 * the result by more than a factor of two; then a few sweeps that bring the largest entries of rows and
 * columns to one (Ruiz 2001). Entries below 1e-15 of the largest of their row or column count as rounding of
 * a zero and are not looked at. Shapes: n x n each.
 */
PencilBalance balance(ConstView<double> E, ConstView<double> A);

}  // namespace halfdof
