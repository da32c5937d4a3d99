// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>

/**
 * @file
 * Solver for matrices that consist of small uncoupled diagonal blocks (after a permutation), each on one
 * process, such as lumped masses of nodes, or damping within each finite element. The solver needs no
 * communication and no ordering.
 */
namespace halfdof::trilinos {

/// Returns whether A consists of small blocks: whether rows and columns of A have the same owners, and each
/// set of rows that are connected by nonzero entries has at most 16 rows, all on one process. Collective.
template <class Scalar>
bool has_small_blocks(const LinearCombination<Scalar>& A);

/**
 * Factorizes each block by dense Gaussian elimination with partial pivoting. The result is null if A does not
 * consist of small blocks. Collective.
 *
 * @param symmetry_tolerance Like FactorizationOptions::symmetry_tolerance, but relative to the square roots
 *   of the diagonal entries
 * @throws SingularMatrix if a pivot is zero
 */
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_blocks(const LinearCombination<Scalar>& A,
                                                  double symmetry_tolerance);

}  // namespace halfdof::trilinos
