#pragma once

#include <halfdof/linear_algebra/exact/integer_entries.h>

#include <flint/fmpz_poly.h>

namespace halfdof {

/// A polynomial with integer coefficients, with its memory. Internal: FLINT appears in the sources of this
/// folder only.
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
 * @f$ \det (\mu^2 M + \mu C + K) @f$ of integers, by its residues modulo so many primes of 61 bits as
 * Hadamard's bound on the unit circle asks for (Cauchy's estimate: no coefficient is larger than the
 * determinant there). With J the columns of M that are not zero, it is the determinant of
 * @f[ L(\mu) = \begin{bmatrix} \mu C + K & \mu M J \\ -\mu J^T & I \end{bmatrix} = \mu E + F , @f]
 * and with a shift s, @f$ W = s E + F @f$ and @f$ \chi @f$ the characteristic polynomial of
 * @f$ X = W^{-1} E @f$, of order N,
 * @f[ \det L(s + t) = \det W\, \det(I + t X) = \det W\, (-t)^N\, \chi(-1/t). @f]
 * Primes are shared by the threads of the machine.
 */
void integer_determinant(const IntegerPencil& pencil, IntegerPolynomial& determinant);

}  // namespace halfdof
