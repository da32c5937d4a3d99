// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/delassus.h>

namespace halfdof::internal {

/**
 * Computes the changes of the rates (rate_jumps()) and of the accelerations (acceleration_jumps()) of
 * the directions at the instant at which constant reactions V are applied suddenly. Displacements H^T q jump
 * by W_K V. With the highest derivatives x = D^{-1} H V and their derivatives x' and x'' with respect to
 * time,
 * @f[ x' = -D^{-1}(C J_I x_I + K J_C x_C), \qquad x'' = -D^{-1}(C J_I x'_I + K J_I x_I + K J_C x'_C), @f]
 * so that rates change by
 * @f[ H^T(J_C x_C + J_K x'_K) \qquad (1) @f]
 * and accelerations by
 * @f[ H^T(J_I x_I + J_C x'_C + J_K x''_K). \qquad (2) @f]
 * (1) and (2) are terms of the expansion of the transfer function of the assembled system at infinity,
 * @f[ H^T (s^2 M + s C + K)^{-1} H = W_K + (1)\,s^{-1} + (2)\,s^{-2} + \dots, @f]
 * and their coefficient matrices are symmetric if M, C and K are symmetric. If V moves no algebraic DoF and D
 * is block triangular, (1) is W_C V; if V also moves no viscous DoF, (2) is W_I V. Otherwise (rows of
 * constraints, unsymmetric couplings) the terms with x' and x'' contribute. Shapes: V m x p, results m x p.
 * Collective.
 *
 * @param H Any directions on the assembled DoFs of the system.
 */
template <class Engine>
MultiVector rate_jumps(const ReducedSystem<Engine>& system, const DirectionMatrix& H, const MultiVector& V);
template <class Engine>
MultiVector acceleration_jumps(const ReducedSystem<Engine>& system, const DirectionMatrix& H,
                               const MultiVector& V);
template <class Engine>
MultiVector rate_jumps(const Inclusions<Engine>& inclusions, const MultiVector& V) {
  return rate_jumps(inclusions.reduced(), inclusions.H(), V);
}
template <class Engine>
MultiVector acceleration_jumps(const Inclusions<Engine>& inclusions, const MultiVector& V) {
  return acceleration_jumps(inclusions.reduced(), inclusions.H(), V);
}

/// Returns all instantaneous responses to constant reactions V: displacements W_K V, rates (1) and
/// accelerations (2). The function needs one solve with the mixed-column matrix D, a second solve if a
/// direction acts on viscous or algebraic DoFs, and a third solve if a direction acts on algebraic DoFs.
/// Shapes: V m x p, results m x p.
template <class Engine>
DelassusMatrices instantaneous_responses(const Inclusions<Engine>& inclusions, const MultiVector& V);

/// Returns the response of each direction to its own unit reaction, for any number of directions: the
/// diagonals of (2), (1) and W_K as columns I, C, K. The function needs as many solves as
/// instantaneous_responses(). Shapes: m x 3. Collective.
template <class Engine>
MultiVector response_diagonals(const Inclusions<Engine>& inclusions);

/**
 * Returns lower bounds of the diagonal entries of W_I, W_C and W_K, which hold if the block A of that kind
 * (M, C or K) is symmetric and definite: (h^T h)^2 / |h^T A h|, with h the entries of a direction on DoFs of
 * the kind. The bound is zero if the direction does not act on DoFs of the kind. Shapes: m x 3, columns I, C,
 * K. Collective.
 */
template <class Engine>
MultiVector response_lower_bounds(const Inclusions<Engine>& inclusions);

}  // namespace halfdof::internal
