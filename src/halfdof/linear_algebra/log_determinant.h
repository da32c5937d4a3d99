#pragma once

#include <halfdof/base/types.h>

#include <cmath>
#include <vector>

namespace halfdof {

/// A determinant as @f$ e^m \varphi,\ |\varphi| = 1 @f$: that of many rows is larger or smaller than any
/// number. Of real matrices phi is the sign. Scalar is double or Complex.
template <class Scalar>
struct LogDeterminant {
  double log_modulus = 0;  ///< m
  Scalar phase = 1;        ///< phi

  /// Times a number that is not zero. Its modulus must be a number.
  LogDeterminant& operator*=(Scalar factor) {
    const double modulus = std::abs(factor);
    log_modulus += std::log(modulus);
    phase *= factor / modulus;
    return *this;
  }
  LogDeterminant& operator*=(const LogDeterminant& other) {
    log_modulus += other.log_modulus;
    phase *= other.phase;
    return *this;
  }
};

/// The product of some numbers, none of them zero.
template <class Numbers>
auto log_product(const Numbers& numbers) {
  LogDeterminant<typename Numbers::Scalar> product;
  for (Eigen::Index i = 0; i < numbers.size(); ++i)
    product *= numbers[i];
  product.phase /= std::abs(product.phase);
  return product;
}

/// The sign of a permutation of 0 ... n-1. Number: an integer type.
template <class Number>
double sign_of_permutation(const Number* permutation, Index n) {
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  double sign = 1;
  for (Index first = 0; first < n; ++first)
    for (auto i = static_cast<std::size_t>(first); !seen[i]; i = static_cast<std::size_t>(permutation[i])) {
      seen[i] = true;
      // A cycle of k has k - 1 transpositions.
      if (permutation[i] != static_cast<Number>(first)) sign = -sign;
    }
  return sign;
}

/// How many eigenvalues of a regular real symmetric matrix have either sign.
struct MatrixInertia {
  GlobalIndex n_positive = 0;
  GlobalIndex n_negative = 0;
};

/// From the pivots d of L D L^T, in whatever order (Sylvester).
template <class Pivots>
MatrixInertia inertia_of(const Pivots& d) {
  return {static_cast<GlobalIndex>((d.array() > 0.).count()),
          static_cast<GlobalIndex>((d.array() < 0.).count())};
}

}  // namespace halfdof
