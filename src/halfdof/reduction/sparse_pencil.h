#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/// E y' = A y + B f, all three sparse, E regular. Shapes: E and A N_s x N_s, B N_s x n_dofs.
struct SparsePencil {
  EigenMatrix E, A, B;
  double fill = 1;  ///< entries of (E, A) over those that the assembled columns bring in
};

struct SparsePencilOptions {
  double max_fill = 3;  ///< predicted fill above which an elimination does not count as local
};

/**
 * The reduced system as a sparse generalized state-space form. Without algebraic DoFs it is a rearrangement
 * of the assembled columns, for y = (q_I, q_C, v_I):
 * @f[ \begin{bmatrix} I & & \\ & C J_C & M J_I \end{bmatrix} \dot y =
 *     \begin{bmatrix} & & I \\ -K J_I & -K J_C & -C J_I \end{bmatrix} y + \begin{bmatrix} 0 \\ f
 * \end{bmatrix}, @f] its rows ordered as kinematic, viscous, inertial, so that E is the identity bordered by
 * @f$[C_{CC}, M_{CI}; C_{IC}, M_{II}]@f$. Algebraic DoFs are eliminated from it by as many rows e, in which
 * their stiffness is regular: their own, or where these are singular those that an LU factorization of
 * @f$ K J_K @f$ takes as pivots (pivot_rows()). Every other row r loses @f$ G \times @f$ (the rows e),
 * @f$ G = K_{rK} K_{eK}^{-1} @f$. That stays sparse only where K_eK is block diagonal with small blocks (a
 * massless joint, a hinge), which the fill predicted from the patterns decides before anything is computed: a
 * block of b DoFs whose columns meet s other rows and whose rows meet t state columns brings b^2 + s (b + t)
 * entries at most. A connected region of algebraic DoFs (an electric potential) makes it full: then the
 * operator form is the sparse one.
 *
 * One machine only. Numbering: columns as ReducedSystem::states(), rows too where algebraic DoFs are
 * eliminated by their own rows; columns of B assembled, zero for constrained DoFs. Units: those of the
 * assembled system.
 *
 * @throws BeyondLimit if the predicted fill is above the limit
 * @throws NotAvailable if both choices of rows are singular up to rounding (some DoFs are named)
 */
SparsePencil sparse_pencil(const ReducedSystem<EigenEngine>& reduced,
                           const SparsePencilOptions& options = {});

}  // namespace halfdof
