// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/**
 * The exponential of a small matrix and its first two integrals,
 * @f[ E = e^{J t}, \qquad F_1 = \int_0^t e^{J \tau}\,d\tau, \qquad
 *     F_2 = \int_0^t F_1(\tau)\,d\tau = \int_0^t (t - \tau)\, e^{J \tau}\,d\tau. \qquad (1) @f]
 * The three matrices are computed by a Taylor series at t/2^k and k doublings,
 * @f$ E(2t) = E^2, F_1(2t) = (E + I) F_1, F_2(2t) = (E + I) F_2 + t F_1 @f$. No inverse is computed, so that
 * J may be singular, defective or nearly defective.
 *
 * The exponential of the matrix with the block rows (J, I, 0), (0, 0, I), 0 has the same blocks. Eigen's
 * MatrixExponential of this matrix is not used, because its rounding errors are relative to the largest of
 * all entries: for J = -1e12/s and t = 1 s, the relative error of F_1 is 3e-5 instead of 2e-16, and for an
 * oscillator of 1e6 rad/s and t = 1e-6 s, the relative error of E is 3e-6 instead of 3e-16. MatrixExponential
 * also takes 2 to 12 times as long.
 */
struct BlockExponential {
  MultiVector E, F_1, F_2;
};

/// Computes the exponential and its two integrals (1) of BlockExponential. @param J square matrix of any size
/// @param t at least 0 [s]
BlockExponential block_exponential(const MultiVector& J, double t);

/// Returns E = F_0, F_1, ..., F_n, where F_{k+1} is the integral of F_k, computed by a Taylor series and the
/// doublings @f$ F_k(2t) = E F_k + \sum_{j<k} \tfrac{t^j}{j!} F_{k-j} @f$. @param n at least 0
std::vector<MultiVector> exponential_integrals(const MultiVector& J, double t, int n);

}  // namespace halfdof::internal
