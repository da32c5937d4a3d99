// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>

#include <cmath>
#include <vector>

namespace halfdof::internal {

/// Returns the product of nonzero numbers as a logarithm and a phase, which cannot overflow.
template <class Numbers>
auto log_product(const Numbers& numbers) {
  LogDeterminant<typename Numbers::Scalar> product;
  for (Eigen::Index i = 0; i < numbers.size(); ++i)
    product *= numbers[i];
  product.phase /= std::abs(product.phase);
  return product;
}

/// Returns the sign of a permutation of 0 ... n-1: 1 if the permutation is even, -1 if it is odd. Number is
/// an integer type.
template <class Number>
double sign_of_permutation(const Number* permutation, Index n) {
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  double sign = 1;
  for (Index first = 0; first < n; ++first)
    for (auto i = static_cast<std::size_t>(first); !seen[i]; i = static_cast<std::size_t>(permutation[i])) {
      seen[i] = true;
      // A cycle of k numbers consists of k - 1 transpositions.
      if (permutation[i] != static_cast<Number>(first)) sign = -sign;
    }
  return sign;
}

/// Returns the inertia of L D L^T from the diagonal entries d of D, in any order (Sylvester's law of
/// inertia).
template <class Pivots>
MatrixInertia inertia_of(const Pivots& d) {
  return {static_cast<GlobalIndex>((d.array() > 0.).count()),
          static_cast<GlobalIndex>((d.array() < 0.).count())};
}

}  // namespace halfdof::internal
