// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/// The block diagonal form @f$ T = Z\,\mathrm{diag}(J_1, \dots, J_b)\,Z^{-1} @f$ with small blocks.
struct BlockDiagonalForm {
  MultiVector Z, Z_inverse;
  std::vector<MultiVector> J;
};

/**
 * Decouples a real matrix into blocks as far as this is possible by a well-conditioned real change of
 * coordinates (Bavely and Stewart 1979): one block after the other is decoupled from the real Schur form by a
 * Sylvester equation. Eigenvalues that would need a large solution of this equation (clusters, defective
 * eigenvalues) stay in one block. A well separated real eigenvalue becomes a block of one row, a complex pair
 * a block of two rows.
 * @param T n x n, finite
 * @param largest Largest entry of the solution of a Sylvester equation that is accepted
 * @throws NoConvergence
 */
BlockDiagonalForm block_diagonal_form(const MultiVector& T, double largest = 1e5);

}  // namespace halfdof::internal
