#pragma once

#include <halfdof/linear_algebra/rank_decision.h>

#include <Eigen/SparseCore>

namespace halfdof {

/**
 * A basis of the kernel of a sparse matrix, not orthonormal, by a rank-revealing sparse QR factorization
 * @f$ A P = Q [R_{11}\ R_{12}] @f$ (Davis 2011, SuiteSparseQR): @f$ N = P\,[-R_{11}^{-1} R_{12};\ I] @f$.
 * Shapes: A.cols() x dimension of the kernel.
 *
 * @param question as decide_rank(); what falls below its uncertainty counts as zero
 * @throws NotAvailable where the basis would have more entries than a square matrix of order `limit`
 */
MultiVector sparse_null_space(const Eigen::SparseMatrix<double>& A, const RankQuestion& question,
                              Index limit);

}  // namespace halfdof
