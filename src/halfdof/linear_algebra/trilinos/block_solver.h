#pragma once

#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>

/**
 * @file
 * Matrices whose rows fall apart into small blocks, each on one process, which no entry couples: masses of
 * lumped nodes, damping cell by cell. Nothing is sent, and nothing ordered.
 */
namespace halfdof::trilinos {

/// Whether rows and columns of A have the same owners, and nonzero entries connect at most 16 rows, of one
/// process. Collective.
template <class Scalar>
bool has_small_blocks(const Combination<Scalar>& A);

/**
 * Dense elimination with partial pivoting, block by block; nothing where A has no small blocks. Collective.
 *
 * @param symmetry_tolerance As that of FactorizationOptions, here relative to the roots of diagonal entries
 * @throws SingularMatrix if a pivot is zero
 */
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_blocks(const Combination<Scalar>& A, double symmetry_tolerance);

}  // namespace halfdof::trilinos
