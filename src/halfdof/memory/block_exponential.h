#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * The exponential of a small matrix and its first two integrals,
 * @f[ E = e^{J t}, \qquad F_1 = \int_0^t e^{J \tau}\,d\tau, \qquad
 *     F_2 = \int_0^t F_1(\tau)\,d\tau = \int_0^t (t - \tau)\, e^{J \tau}\,d\tau. \qquad (1) @f]
 * A Taylor series at t/2^k and k doublings, @f$ E(2t) = E^2, F_1(2t) = (E + I) F_1, F_2(2t) = (E + I) F_2 + t F_1 @f$,
 * so that no inverse is taken: J may be singular, defective or nearly so.
 */
struct BlockExponential {
  MultiVector E, F_1, F_2;
};

/// @param J square, of any size @param t at least 0 [s]
BlockExponential block_exponential(const MultiVector& J, double t);

}  // namespace halfdof
