#pragma once

#include <halfdof/inclusions/delassus.h>

namespace halfdof {

/**
 * What constant reactions V change from the instant at which they are switched on. Displacements H^T q jump
 * by W_K V. With x = D^{-1} H V the parts x_I and x_C move the algebraic DoFs further,
 * @f[ x' = -D^{-1}(C J_I x_I + K J_C x_C), \qquad x'' = -D^{-1}(C J_I x'_I + K J_I x_I + K J_C x'_C), @f]
 * so that rates change by
 * @f[ H^T(J_C x_C + J_K x'_K) \qquad (1) @f]
 * and accelerations by
 * @f[ H^T(J_I x_I + J_C x'_C + J_K x''_K). \qquad (2) @f]
 * They are the terms of the transfer function of the assembled system at infinity,
 * @f[ H^T (s^2 M + s C + K)^{-1} H = W_K + (1)\,s^{-1} + (2)\,s^{-2} + \dots, @f]
 * and symmetric where M, C and K are. Where V moves no algebraic DoF, and D is block triangular, (1) is W_C
 * V; where it moves no viscous one either, (2) is W_I V. Elsewhere (rows of constraints, unsymmetric
 * couplings) the further terms count. Shapes: V m x p, results m x p. Collective.
 *
 * @param H Directions on the assembled DoFs of the system: those of its inclusions, or any others.
 */
template <class Engine>
MultiVector rate_responses(const ReducedSystem<Engine>& system, const DirectionMatrix& H,
                           const MultiVector& V);
template <class Engine>
MultiVector acceleration_responses(const ReducedSystem<Engine>& system, const DirectionMatrix& H,
                                   const MultiVector& V);
template <class Engine>
MultiVector rate_responses(const Inclusions<Engine>& inclusions, const MultiVector& V) {
  return rate_responses(inclusions.reduced(), inclusions.H(), V);
}
template <class Engine>
MultiVector acceleration_responses(const Inclusions<Engine>& inclusions, const MultiVector& V) {
  return acceleration_responses(inclusions.reduced(), inclusions.H(), V);
}

/// What constant reactions V move at once, with all that is tied to them: displacements W_K V, rates (1) and
/// accelerations (2). One solve with D, one more where a direction meets half DoFs, one more where it meets
/// algebraic ones. Shapes: as above.
template <class Engine>
DelassusMatrices responses_at_once(const Inclusions<Engine>& inclusions, const MultiVector& V);

/// What each direction alone meets, for any number of them: the diagonals of (2), (1) and W_K as columns I,
/// C, K. As many solves as responses_at_once() needs. Shapes: m x 3. Collective.
template <class Engine>
MultiVector response_diagonals(const Inclusions<Engine>& inclusions);

/**
 * The least that the diagonal entries of W_I, W_C and W_K can be where the block A of that kind (M, C or K)
 * is symmetric and definite: (h^T h)^2 / |h^T A h|, with h the entries of a direction on DoFs of the kind.
 * Zero where a direction does not meet the kind. Shapes: m x 3, columns I, C, K. Collective.
 */
template <class Engine>
MultiVector least_responses(const Inclusions<Engine>& inclusions);

}  // namespace halfdof
