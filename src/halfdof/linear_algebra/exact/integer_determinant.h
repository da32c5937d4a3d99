// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/exact/integer_entries.h>

#include <flint/fmpz_poly.h>

namespace halfdof::internal {

/// A polynomial with integer coefficients of any size (RAII wrapper of the type of FLINT). Only the sources
/// of this folder use FLINT.
class IntegerPolynomial {
 public:
  IntegerPolynomial() { fmpz_poly_init(value_); }
  ~IntegerPolynomial() { fmpz_poly_clear(value_); }
  IntegerPolynomial(const IntegerPolynomial&) = delete;
  IntegerPolynomial& operator=(const IntegerPolynomial&) = delete;

  fmpz_poly_struct* get() { return value_; }
  const fmpz_poly_struct* get() const { return value_; }

 private:
  fmpz_poly_t value_;
};

/**
 * Computes the polynomial @f$ \det (\mu^2 M + \mu C + K) @f$ for integer matrices from its residues modulo
 * primes of 61 bits. The number of primes follows from Hadamard's bound of the determinant on the unit
 * circle, which by Cauchy's estimate bounds all coefficients. With a matrix J that selects the columns of M
 * that are not zero, the polynomial is the determinant of the linear pencil
 * @f[ L(\mu) = \begin{bmatrix} \mu C + K & \mu M J \\ -\mu J^T & I \end{bmatrix} = \mu E + F . @f]
 * Let s be a shift, @f$ W = s E + F @f$, @f$ X = W^{-1} E @f$, N the order of X and @f$ \chi @f$ its
 * characteristic polynomial. Then, for every t,
 * @f[ \det L(s + t) = \det W\, \det(I + t X) = \det W\, (-t)^N\, \chi(-1/t). @f]
 * The primes are distributed among the threads of the machine.
 */
void integer_determinant(const IntegerPencil& pencil, IntegerPolynomial& determinant);

}  // namespace halfdof::internal
