#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/reduction/weierstrass_form.h>

#include <string>

namespace halfdof {

/**
 * A pencil of any index as a system of coordinates, dense. With the finite part v of WeierstrassForm of
 * smallest_form(),
 * @f[ \dot v = A_1 v + B_1 F, \qquad q_f = T_q v + \sum_k G_k F^{(k)},
 *     \qquad G_k = -Q T_2 N^k Z_2 B. \qquad (1) @f]
 * Forces in the kernel of all G_k, k >= 1, may act as they like: those of L^T F = 0, with orthonormal L and
 * Pi = I - L L^T. What L^T F is has to be known with its derivatives, d(t) = L^T F: right sides b(t) of the
 * equations of multipliers, and motions of constrained DoFs. (So have, where states would be left without
 * displacements, those that move at once what is a state, too; where that does not suffice, those that move
 * anything at once; or all.) A displacement w^T q_f is
 *
 * - algebraic if such forces move it at once, w^T G_0 Pi != 0: it is what it is, q_K = w^T q_f,
 * - viscous if they give it a rate, w^T T_q B_1 Pi != 0, or if its rate follows from displacements,
 * - inertial otherwise: they give it an acceleration, and its rate is a state of its own.
 *
 * With rows Y_I and Y_C of w^T T_q that span those of inertial and viscous displacements, the states are
 * @f[ y = Y v - Y \Gamma d, \qquad Y = (Y_I;\ Y_C;\ Y_I A_1),
 *     \qquad Y \Gamma = -(0;\ 0;\ Y_I B_1 L), \qquad (2) @f]
 * so that q_I' = v_I, and
 * @f[ \tilde M = \mathrm{diag}(I, 0, 0), \qquad \tilde C = [\cdot\ I\ 0], \qquad
 *     \tilde K = [\cdot\ \cdot\ I], \qquad q_f = S (q_I;\ q_C;\ q_K) + o(t) \qquad (3) @f]
 * is, up to combinations of its rows, a ConstrainedForm without multipliers. As in KernelCoordinates,
 * directions S of different kinds are orthogonal and every coordinate stands at the place of a DoF that takes
 * part in it, in units of unit_factors(), where these are well told apart that DoF itself. Ranks are those of
 * decide_rank().
 *
 * Shapes: A_1 n_s x n_s, T_q n_f x n_s, B_1 n_s x n_f, G_k n_f x n_f with n_f free DoFs and n_s = 2 N_I + N_C
 * states. Source: Dumont, Goeleven and Rochdi 2001, section 2, for (1).
 */
template <class Engine>
struct WeierstrassCoordinates {
  FreeSystem<Engine> system;
  Classification classification;
  std::string text;  ///< what was found, a sentence
};

/**
 * @throws NotAvailable on several processes, or above options.max_order; SingularPencil; AmbiguousRank;
 * InvalidInput if a derivative of d is needed and missing
 */
template <class Engine>
WeierstrassCoordinates<Engine> weierstrass_coordinates(const FreeSystem<Engine>& system,
                                                       const WeierstrassOptions& options = {});

}  // namespace halfdof
