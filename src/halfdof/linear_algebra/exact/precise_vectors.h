#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * Vectors x with P(lambda) x = 0 beside an eigenvalue lambda of
 * @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ that is known to the last digit of a double: two steps of
 * inverse iteration from pseudo-random vectors in arithmetic of 512 bits (Arb), where P(lambda) is never
 * singular by rounding, whatever the sizes of its entries. Of a Jordan block all vectors are one. Shapes:
 * matrices n x n, result n x k with a largest entry of one in each column; entries are rounded at the end.
 */
ComplexMultiVector precise_null_vectors(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                        Complex lambda, Index k);

/// Right x, and left y with P(lambda)^T y = 0.
struct VectorPair {
  ComplexVector right, left;
};

/// Of a simple eigenvalue, both by one elimination; as precise_null_vectors().
VectorPair precise_vector_pair(ConstView<double> M, ConstView<double> C, ConstView<double> K, Complex lambda);

}  // namespace halfdof
