// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>

#include <string>

namespace halfdof::trilinos {

/**
 * Returns an iterative solver in place of a factorization, for matrices that are too large for direct
 * solvers. It uses Krylov iterations of Belos, with refinement until |b - A x| is below the tolerance of the
 * options relative to |b|. It needs memory for the blocks of a SplitMatrix, a multigrid hierarchy and a
 * Krylov basis, and gathers nothing of the size of the matrix on one process. The following methods are tried
 * in this order, with one trial solve each:
 *
 * - diagonal matrix: division by the diagonal;
 * - symmetric matrix with a diagonal of one sign: conjugate gradients, preconditioned by
 *   approximate_inverse();
 * - otherwise, or if conjugate gradients do not converge: GMRES, preconditioned by
 *   SplitMatrix::block_inverse();
 * - if that does not converge: GMRES, preconditioned by incomplete factors of the rows of each process.
 *
 * @param reason The reason for the choice of an iteration, for the report
 * @throws SingularMatrix
 * @throws NoConvergence also from solves with the result
 * @throws NotAvailable if rows and columns are distributed differently
 */
FactorizationPtr<double> iterate_krylov(const Combination<double>& A, const FactorizationOptions& options,
                                        const std::string& reason);

}  // namespace halfdof::trilinos
