// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>

#include <string>

namespace halfdof::trilinos {

/**
 * Returns an iterative solver in place of a factorization, for matrices that are too large for direct
 * solvers. The solver uses Krylov iterations of Belos, with refinement until |b - A x| relative to |b| is
 * below the tolerance of the options. It stores the blocks of a SplitMatrix, a multigrid hierarchy and a
 * Krylov basis; no process needs memory for the whole matrix. The following methods are tried in this order,
 * with one trial solve each:
 *
 * - diagonal matrix: division by the diagonal;
 * - symmetric matrix with a diagonal of one sign: conjugate gradients, preconditioned by
 *   approximate_inverse();
 * - otherwise, or if conjugate gradients do not converge: GMRES, preconditioned by
 *   SplitMatrix::block_inverse();
 * - if this GMRES iteration does not converge: GMRES, preconditioned by incomplete_factorization().
 *
 * @param reason The reason for the choice of an iteration, for the report
 * @throws SingularMatrix
 * @throws NoConvergence also from solves with the result
 * @throws NotAvailable if rows and columns are distributed differently
 */
FactorizationPtr<double> iterate_krylov(const LinearCombination<double>& A,
                                        const FactorizationOptions& options, const std::string& reason);

}  // namespace halfdof::trilinos
