// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

/**
 * @file
 * Factorizations of small dense matrices in place by LAPACK, in a workspace that is used again and again.
 * They serve the equations of single time steps, where a copy or an allocation would cost as much as the
 * arithmetic.
 */
namespace halfdof::internal {

/// Factorizes the leading n x n block of A as L L^T. The lower triangle of the block becomes L; the entries
/// above it are not read.
/// @param A A square matrix of order n or larger
/// @return Whether the block is positive definite; if not, A is overwritten by unusable values
bool cholesky_in_place(MultiVector& A, Index n);

/// Replaces b by L^{-T} L^{-1} b, where L is the leading block of cholesky_in_place() of the order of b.
void cholesky_solve_in_place(const MultiVector& L, Eigen::Ref<Vector> b);

/// Solves A x = b by elimination with partial pivoting, where A is the leading block of the order of b. The
/// block becomes its factors, and b becomes the solution.
/// @param A A square matrix of this order or larger
/// @param pivots Workspace
/// @return Whether the block is regular; if not, A is overwritten by unusable values, and b is unchanged
bool solve_in_place(MultiVector& A, Vector& b, std::vector<int>& pivots);

}  // namespace halfdof::internal
