#pragma once

#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>

#include <string>

namespace halfdof::trilinos {

/**
 * No factorization: Krylov iterations of Belos, refined until |b - A x| is below the tolerance of the options
 * relative to |b|. Memory is that of the blocks of a SplitMatrix, of a multigrid hierarchy and of a Krylov
 * basis; nothing of the size of the matrix is gathered: for what no direct solver can hold. What is tried, in
 * this order, with one trial solve each:
 *
 * - diagonal: division;
 * - symmetric, diagonal of one sign: conjugate gradients, preconditioned by approximate_inverse();
 * - otherwise, and where those find a direction of no curvature: GMRES, preconditioned by
 *   SplitMatrix::block_inverse();
 * - where that does not converge: GMRES with incomplete factors of the rows of each process.
 *
 * @param reason For the report
 * @throws SingularMatrix; NoConvergence, also from its solves; NotAvailable where rows and columns are spread
 * differently
 */
FactorizationPtr<double> iterate_krylov(const Combination<double>& A, const FactorizationOptions& options,
                                        const std::string& reason);

}  // namespace halfdof::trilinos
