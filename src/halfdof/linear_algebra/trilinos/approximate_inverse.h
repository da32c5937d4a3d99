// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <functional>
#include <string>

namespace halfdof::trilinos {

/// A linear preconditioner z = B r, where B approximates A^{-1} and is symmetric if A is symmetric.
/// Collective.
struct ApproximateInverse {
  std::function<MultiVector(ConstView<double> r)>
      apply;                          ///< returns B r; empty if there is no preconditioner
  std::string name;                   ///< "diagonal", "multigrid with 4 levels"
  bool is_positive_definite = false;  ///< whether B is known to be positive definite, even if A is not
};

/**
 * Returns a preconditioner for a square matrix with a positive diagonal. The preconditioner is chosen by a
 * few trial steps of conjugate gradients that are preconditioned by the diagonal:
 *
 * - if the trial steps reduce the residual well, as for a mass matrix or a small time step, the diagonal is
 *   used. The number of steps then depends neither on the mesh nor on the number of processes;
 * - otherwise A is assumed to be elliptic, and multigrid by smoothed aggregation is used (ML; Vanek, Mandel
 *   and Brezina 1996), because the diagonal hardly reduces smooth parts of the residual.
 *
 * The result shares the entries of A. For a matrix without rows, the result is the identity.
 * @param near_null_space Local rows x k: vectors x with small A x, such as the rigid motions of an elastic
 *   body; if there are no such vectors, constant vectors are used
 */
ApproximateInverse approximate_inverse(const TrilinosMatrix& A, bool is_symmetric,
                                       const MultiVector& near_null_space);

/// Returns an incomplete Cholesky or LU factorization (Ifpack) of the diagonal block of each process as a
/// preconditioner for matrices that are not elliptic. @throws NoConvergence if a pivot is zero, although the
/// matrix may be regular
ApproximateInverse incomplete_factorization(const TrilinosMatrix& A, bool is_definite);

}  // namespace halfdof::trilinos
