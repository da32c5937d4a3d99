// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>

/**
 * @file
 * Solver for matrices that consist of small uncoupled diagonal blocks (after a permutation), each on one
 * process, such as lumped masses of nodes, or damping within each cell. It needs no communication and no
 * ordering.
 */
namespace halfdof::trilinos {

/// Returns whether rows and columns of A have the same owners, and each set of rows that are connected by
/// nonzero entries has at most 16 rows, all on one process. Collective.
template <class Scalar>
bool has_small_blocks(const Combination<Scalar>& A);

/**
 * Factorizes each block by dense elimination with partial pivoting; null if A does not consist of small
 * blocks. Collective.
 *
 * @param symmetry_tolerance Like FactorizationOptions::symmetry_tolerance, but relative to the square roots
 *   of the diagonal entries
 * @throws SingularMatrix if a pivot is zero
 */
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_blocks(const Combination<Scalar>& A, double symmetry_tolerance);

}  // namespace halfdof::trilinos
