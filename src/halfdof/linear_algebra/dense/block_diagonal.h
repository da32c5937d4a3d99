// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/// The block diagonal form @f$ T = Z\,\mathrm{diag}(J_1, \dots, J_b)\,Z^{-1} @f$ of a real matrix T with
/// small blocks J_i.
struct BlockDiagonalForm {
  MultiVector Z, Z_inverse;
  std::vector<MultiVector> J;
};

/**
 * Computes the block diagonal form of a real matrix with the smallest blocks that a well-conditioned real
 * change of coordinates can decouple (Bavely and Stewart 1979): one block after the other is decoupled from
 * the real Schur form by the solution of a Sylvester equation. Eigenvalues for which this solution would be
 * large (clusters, defective eigenvalues) share a block. A well separated real eigenvalue has a block of one
 * row, a well separated complex pair a block of two rows.
 * @param T n x n, finite
 * @param largest Largest admissible entry of the solution of a Sylvester equation
 * @throws NoConvergence
 */
BlockDiagonalForm block_diagonal_form(const MultiVector& T, double largest = 1e5);

}  // namespace halfdof::internal
