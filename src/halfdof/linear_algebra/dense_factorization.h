#pragma once

#include <halfdof/base/types.h>

#include <vector>

/**
 * @file
 * Factorizations of small dense matrices in place, again and again in one workspace: those of one-step
 * problems, where a copy or an allocation would cost as much as the arithmetic. By LAPACK.
 */
namespace halfdof {

/// The leading n x n block of A = L L^T; its lower triangle becomes L, and what
/// stands above is not read.
/// @param A square, of order n at least @return whether the block is positive
/// definite; if not, A is spoiled
bool cholesky_in_place(MultiVector& A, Index n);

/// b becomes L^{-T} L^{-1} b, with L of cholesky_in_place() of the order of b.
void cholesky_solve_in_place(const MultiVector& L, Eigen::Ref<Vector> b);

/// A x = b by elimination with partial pivoting, for the leading block of A of the order of b; it becomes its
/// factors, and b the solution.
/// @param A square, of that order at least @param pivots workspace
/// @return whether A is regular; if not, A is spoiled and b as before
bool solve_in_place(MultiVector& A, Vector& b, std::vector<int>& pivots);

}  // namespace halfdof
