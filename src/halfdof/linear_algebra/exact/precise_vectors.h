// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * Computes k eigenvectors x with P(lambda) x = 0 for an eigenvalue lambda of
 * @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ that is known to the last digit of a double. The method is
 * two steps of inverse iteration from pseudo-random vectors in arithmetic of 512 bits (Arb). The shift is so
 * close to lambda that it equals lambda in double precision. If lambda has a single Jordan block, the k
 * vectors are parallel. Shapes: matrices n x n, result n x k with a largest entry of one in each column; the
 * result is rounded to double precision.
 */
ComplexMultiVector precise_null_vectors(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                        Complex lambda, Index k);

/// A right eigenvector x with P(lambda) x = 0, and a left eigenvector y with P(lambda)^T y = 0.
struct VectorPair {
  ComplexVector right, left;
};

/// Computes both eigenvectors of a simple eigenvalue by one elimination, like precise_null_vectors().
VectorPair precise_vector_pair(ConstView<double> M, ConstView<double> C, ConstView<double> K, Complex lambda);

}  // namespace halfdof::internal
