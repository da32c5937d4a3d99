// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

/**
 * @file
 * Factorizations of small dense matrices in place by LAPACK, in a workspace that the caller uses again and
 * again. The factorizations serve the equations of single time steps, in which a copy or an allocation would
 * cost as much as the arithmetic.
 */
namespace halfdof::internal {

/// Factorizes the leading n x n block of A as L L^T. The lower triangle of the block becomes L; the entries
/// above it are not read.
/// @param A A square matrix of order n or larger
/// @return Whether the block is positive definite; if not, A is overwritten by unusable values
bool cholesky_in_place(MultiVector& A, Index n);

/// Replaces b by L^{-T} L^{-1} b. The Cholesky factor L is the leading block of the order of b in the result
/// of cholesky_in_place().
void cholesky_solve_in_place(const MultiVector& L, Eigen::Ref<Vector> b);

/// Solves a linear system by Gaussian elimination with partial pivoting. The matrix of the system is the
/// leading block of A whose order is the size of b. The block is overwritten by its LU factors, and b by the
/// solution.
/// @param A A square matrix whose order is at least the size of b
/// @param pivots Workspace
/// @return Whether the block is regular; if not, A is overwritten by unusable values, and b is unchanged
bool solve_in_place(MultiVector& A, Vector& b, std::vector<int>& pivots);

}  // namespace halfdof::internal
