// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <flint/fmpz.h>

#include <array>
#include <optional>
#include <vector>

/**
 * @file
 * Conversion of matrices of doubles to integers. Every double is an integer times a power of two, so that a
 * matrix of doubles has an exact determinant, rank and characteristic polynomial. Only the sources of this
 * folder use FLINT.
 */
namespace halfdof::internal {

/// An integer of any size (RAII wrapper of the type of FLINT).
class ExactInteger {
 public:
  ExactInteger() { fmpz_init(value_); }
  ~ExactInteger() { fmpz_clear(value_); }
  ExactInteger(const ExactInteger& other) { fmpz_init_set(value_, other.value_); }
  ExactInteger& operator=(const ExactInteger& other) {
    fmpz_set(value_, other.value_);
    return *this;
  }

  fmpz* get() { return value_; }
  const fmpz* get() const { return value_; }

 private:
  fmpz_t value_;
};

/// The form x = m 2^e of a double, with m odd or zero.
struct BinaryNumber {
  std::int64_t m;
  int e;
};
/// Returns the form m 2^e of a double.
BinaryNumber binary_number(double x);

/**
 * The matrices M, C and K of a pencil as integers, after rows, columns and the eigenvalue were scaled by
 * powers of two, which does not change the digits of the entries: the entry (i, j) of the coefficient of
 * @f$\mu^k@f$ is
 * @f$ 2^{r_i + c_j + k g}\, A^{(k)}_{ij} @f$ with @f$ A^{(0)} = K,\ A^{(1)} = C,\ A^{(2)} = M @f$ and
 * @f$ \lambda = 2^g \mu @f$.
 */
struct IntegerPencil {
  Index n;
  int exponent_of_eigenvalue;  ///< the exponent g of the scale factor of the eigenvalue
  int most_bits;               ///< number of bits of the largest entry
  /// The entries of K, C and M, the coefficients of mu^0, mu^1 and mu^2, each column by column.
  std::array<std::vector<ExactInteger>, 3> entries;
};

/// Converts the matrices M, C and K of a pencil to integers. No value is returned if an entry would have more
/// than most_bits bits. Shapes: n x n each, finite.
std::optional<IntegerPencil> integer_pencil(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                            int most_bits);

}  // namespace halfdof::internal
