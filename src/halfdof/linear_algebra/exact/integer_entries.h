#pragma once

#include <halfdof/base/types.h>

#include <flint/fmpz.h>

#include <array>
#include <optional>
#include <vector>

/**
 * @file
 * Every double is an integer times a power of two, so that a matrix of doubles has an exact determinant, rank
 * and characteristic polynomial. Internal: FLINT appears in the sources of this folder only.
 */
namespace halfdof {

/// One integer of FLINT, with its memory.
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

/// The integers m, odd or zero, and e with x = m 2^e.
struct BinaryNumber {
  std::int64_t m;
  int e;
};
BinaryNumber binary_number(double x);

/**
 * M, C and K of a pencil as integers, after rows, columns and the eigenvalue were scaled by powers of two,
 * which changes no entry's digits: the entry (i, j) of @f$\mu^k@f$ is
 * @f$ 2^{r_i + c_j + k g}\, A^{(k)}_{ij} @f$ with @f$ A^{(0)} = K,\ A^{(1)} = C,\ A^{(2)} = M @f$ and
 * @f$ \lambda = 2^g \mu @f$.
 */
struct IntegerPencil {
  Index n;
  int exponent_of_rate;                              ///< g
  int most_bits;                                     ///< of an entry
  std::array<std::vector<ExactInteger>, 3> entries;  ///< of K, C, M; by columns
};

/// Nothing where an entry would take more bits than given. Shapes: n x n each, finite.
std::optional<IntegerPencil> integer_pencil(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                            int most_bits);

}  // namespace halfdof
