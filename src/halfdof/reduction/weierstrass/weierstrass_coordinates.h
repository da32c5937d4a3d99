// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/classification/classification.h>
#include <halfdof/reduction/attempt.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <string>

namespace halfdof::internal {

/**
 * Coordinates for a pencil of any index, with dense matrices. With the states v of the finite part of the
 * WeierstrassForm of smallest_form(),
 * @f[ \dot v = A_1 v + B_1 F, \qquad q_f = T_q v + \sum_k G_k F^{(k)},
 *     \qquad G_k = -Q T_2 N^k Z_2 B. \qquad (1) @f]
 * Forces in the kernel of all G_k, k >= 1, can be arbitrary functions of time. They are the forces with L^T
 * F = 0, where L is orthonormal, and Pi = I - L L^T is the projection on them. The other forces d(t) = L^T
 * F must be known with their derivatives: they are right sides b(t) of the equations of multipliers, and
 * motions of constrained DoFs. (If some states would not be determined by displacements and rates, more
 * forces must be known: first the forces with an instantaneous effect on displacements of states, then
 * those with an instantaneous effect on any displacement, and last all forces.) A displacement w^T q_f is
 *
 * - algebraic if forces Pi F have an instantaneous effect on the displacement, w^T G_0 Pi != 0; then q_K =
 * w^T q_f,
 * - viscous if these forces act on the rate of the displacement, w^T T_q B_1 Pi != 0, or if the rate
 * follows from displacements,
 * - inertial otherwise: these forces act on the acceleration of the displacement, and the rate is another
 * state.
 *
 * With rows Y_I and Y_C of w^T T_q that span those of inertial and viscous displacements, the states are
 * @f[ y = Y v - Y \Gamma d, \qquad Y = (Y_I;\ Y_C;\ Y_I A_1),
 *     \qquad Y \Gamma = -(0;\ 0;\ Y_I B_1 L), \qquad (2) @f]
 * so that q_I' = v_I, and
 * @f[ \tilde M = \mathrm{diag}(I, 0, 0), \qquad \tilde C = [\cdot\ I\ 0], \qquad
 *     \tilde K = [\cdot\ \cdot\ I], \qquad q_f = S (q_I;\ q_C;\ q_K) + o(t) \qquad (3) @f]
 * is, up to combinations of its rows, a ConstrainedForm without multipliers. As in KernelCoordinates,
 * directions S of different kinds are orthogonal in units of unit_factors(), and every coordinate takes the
 * number of a DoF on which its direction is not zero. If the directions of a kind are well conditioned on
 * these DoFs, each coordinate is the displacement of its DoF. Ranks are decided by decide_rank().
 *
 * Shapes: A_1 n_s x n_s, T_q n_f x n_s, B_1 n_s x n_f, G_k n_f x n_f with n_f free DoFs and n_s = 2 N_I + N_C
 * states. Source: Dumont, Goeleven and Rochdi 2001, section 2, for (1).
 */
template <class Engine>
struct WeierstrassCoordinates {
  FreeSystem<Engine> system;      ///< the system in these coordinates
  Classification classification;  ///< kinds of the coordinates
  std::string text;               ///< a sentence about the structure of the pencil
};

/**
 * Computes the coordinates. The attempt is refused with NotAvailable on several processes, and with
 * SingularPencil.
 * @throws NotAvailable above options.max_order; AmbiguousRank; InvalidInput if a derivative of d is needed
 * and missing
 */
template <class Engine>
Attempt<WeierstrassCoordinates<Engine>> weierstrass_coordinates(const FreeSystem<Engine>& system,
                                                                const WeierstrassOptions& options = {});

}  // namespace halfdof::internal
