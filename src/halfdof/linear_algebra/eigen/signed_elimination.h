// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>
#include <halfdof/linear_algebra/eigen/supernodes.h>

#include <optional>

namespace halfdof::internal {

/// The values of the factors L and S of P A P^T = L S L^T, see SignedCholesky.
template <class Scalar>
struct SignedFactors {
  Eigen::Matrix<Scalar, Eigen::Dynamic, 1> values;  ///< the values of L, block by block
  Vector signs;                                     ///< the diagonal of S
  double growth = 1;                                ///< max_i (|L||L|^T)_ii / |a_ii|

  /// Returns the memory of L and S [bytes].
  double bytes() const {
    return static_cast<double>(values.size()) * sizeof(Scalar) +
           static_cast<double>(signs.size()) * sizeof(double);
  }
};

/// Computes the factors L and S of P A P^T = L S L^T. The arguments and the result are those of
/// SignedCholesky::factorize().
template <class Scalar>
std::optional<SignedFactors<Scalar>> compute_signed_factors(const Supernodes& supernodes,
                                                            const SquarePattern& pattern,
                                                            const std::vector<Scalar>& values,
                                                            double largest_growth,
                                                            std::optional<double> only_sign);

}  // namespace halfdof::internal
