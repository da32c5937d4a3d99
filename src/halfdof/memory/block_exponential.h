#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * The exponential of a small matrix and its first two integrals,
 * @f[ E = e^{J t}, \qquad F_1 = \int_0^t e^{J \tau}\,d\tau, \qquad
 *     F_2 = \int_0^t F_1(\tau)\,d\tau = \int_0^t (t - \tau)\, e^{J \tau}\,d\tau. \qquad (1) @f]
 * A Taylor series at t/2^k and k doublings, @f$ E(2t) = E^2, F_1(2t) = (E + I) F_1, F_2(2t) = (E + I) F_2 +
 * t F_1 @f$, so that no inverse is taken: J may be singular, defective or nearly so.
 */
struct BlockExponential {
  MultiVector E, F_1, F_2;
};

/// @param J square, of any size @param t at least 0 [s]
BlockExponential block_exponential(const MultiVector& J, double t);

/// E, F_1, ..., F_n, F_{k+1} being the integral of F_k: by doublings
/// @f$ F_k(2t) = E F_k + \sum_{j<k} \tfrac{t^j}{j!} F_{k-j} @f$. @param n at least 0
std::vector<MultiVector> exponential_integrals(const MultiVector& J, double t, int n);

}  // namespace halfdof
