// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>
#include <halfdof/reduction/attempt.h>

namespace halfdof::internal {

/**
 * Orthonormal basis of a null space of a square sparse matrix, A x = 0 or A^T y = 0, in equilibrated
 * coordinates: with R, S of `equilibrate`,
 * @f[ R A S\,\tilde x = 0, \qquad (R A S)^T \tilde y = 0. @f]
 * The basis is found by inverse iteration with @f$ B_\delta^{-1} B_\delta^{-T} @f$, where
 * @f$ B_\delta = R A S + \delta\,\mathrm{diag} @f$ is regular, and a Rayleigh-Ritz step on the singular
 * values. The perturbation has the signs of the diagonal, so that semidefinite matrices become definite. At
 * most twelve vectors are computed; if the null space is larger, they span a generic subspace, which has
 * entries on the same DoFs as the whole null space.
 *
 * Large entries of the vectors belong to the unknowns (equations) on which the matrix is singular. Multiply
 * the vectors by `scale` to return to the coordinates of A. Shapes: basis n_local() x r with r >= 1 (at
 * least the smallest singular vector). Collective.
 */
struct NullSpace {
  MultiVector basis;
  Vector scale;
};

/// The null spaces of the columns and of the rows of a matrix.
struct NullSpaces {
  NullSpace right, left;  ///< null space of the columns (A x = 0) and of the rows (A^T y = 0)
  /// |R A S x| / |x| of the smallest singular vector x, in the 1-norm. The residual has the size of
  /// rounding if A is singular, and otherwise that of the reciprocal condition number.
  double residual;
};

/// Computes both null spaces. The attempt is refused for matrices that remain singular if their entries are
/// perturbed, and for matrices for which numbers overflow.
template <class Engine>
Attempt<NullSpaces> null_spaces(const typename Engine::Matrix& A);

}  // namespace halfdof::internal
