#pragma once

#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/**
 * @file
 * The matrices of the state-space form (Simionatto et al., Eqs. (2), (31), (32)), written out:
 * @f[ \dot y = A y + B f, \qquad
 *     A = \begin{bmatrix} 0 & 0 & I \\ -\alpha K J_I & -\alpha K J_C & -\alpha C J_I \\
 *         -\gamma K J_I & -\gamma K J_C & -\gamma C J_I \end{bmatrix}, \qquad
 *     B = \begin{bmatrix} 0 \\ \alpha \\ \gamma \end{bmatrix}, @f]
 * with @f$\gamma = J_I^T D^{-1}@f$, @f$\alpha = J_C^T D^{-1}@f$ and @f$\kappa = J_K^T D^{-1}@f$ the row
 * blocks of the inverse of the mixed-column matrix D; the algebraic DoFs follow from
 * @f$ q_K = \kappa (f - C J_I v_I - K J_I q_I - K J_C q_C) @f$. A costs N_s solves with D, each other matrix
 * one solve with D^T for each of its rows.
 *
 * Shapes: A is N_s x N_s. B (N_s x n_dofs), gamma, alpha and kappa (N_I, N_C, N_K x n_dofs) have one column
 * for each *assembled* DoF; those of constrained DoFs are zero. Rows: states as ReducedSystem::states()
 * numbers them, DoFs of one kind by ascending assembled index (under MPI by rank first). Under MPI every
 * process receives the whole matrix. Units: those of the assembled system. Collective.
 */

/// A. @throws NotAvailable if it needs more than options.max_bytes.
template <class Engine>
MultiVector dense_state_matrix(const ReducedSystem<Engine>& reduced, const DenseFormOptions& options = {});

/// B. @throws NotAvailable if it needs more than options.max_bytes.
template <class Engine>
MultiVector dense_input_matrix(const ReducedSystem<Engine>& reduced, const DenseFormOptions& options = {});

/// The row block of @f$D^{-1}@f$ that belongs to one kind: gamma (inertial), alpha (viscous), kappa
/// (algebraic). @throws NotAvailable as above; InvalidInput for constrained DoFs, which have no rows.
template <class Engine>
MultiVector dense_inverse_rows(const ReducedSystem<Engine>& reduced, DoFKind kind,
                               const DenseFormOptions& options = {});

}  // namespace halfdof
