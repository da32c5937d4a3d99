// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <functional>
#include <string>

namespace halfdof::trilinos {

/// A linear preconditioner z = B r with B near A^{-1}, which is symmetric if A is. Collective.
struct ApproximateInverse {
  std::function<MultiVector(ConstView<double> r)> apply;
  std::string name;                   ///< "diagonal", "multigrid with 4 levels"
  bool is_positive_definite = false;  ///< B is known to be positive definite, even if A is not
};

/**
 * Returns a preconditioner for a square matrix with a positive diagonal. It is chosen by a few trial steps of
 * conjugate gradients that are preconditioned by the diagonal:
 *
 * - if they reduce smooth and rough parts of a residual alike, as for a mass matrix or a small time step, the
 *   diagonal is used: the number of steps depends neither on the mesh nor on the number of processes;
 * - otherwise A is taken to be elliptic, and multigrid by smoothed aggregation (ML; Vanek, Mandel and Brezina
 *   1996) reduces the smooth parts.
 *
 * The result shares the entries of A. A matrix without rows gets the identity.
 * @param near_null_space Local rows x k: vectors x with small A x, such as the rigid motions of an elastic
 *   body; if it has no columns, constant vectors are used
 */
ApproximateInverse approximate_inverse(const TrilinosMatrix& A, bool is_symmetric,
                                       const MultiVector& near_null_space);

/// Returns an incomplete factorization (Ifpack) of the rows and columns of each process, for matrices that
/// are not elliptic. @throws NoConvergence if a pivot is zero, although the matrix may be regular
ApproximateInverse incomplete_factorization(const TrilinosMatrix& A, bool is_definite);

}  // namespace halfdof::trilinos
