#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/// @f$ T = Z\,\mathrm{diag}(J_1, \dots, J_b)\,Z^{-1} @f$ with small blocks.
struct BlockDiagonalForm {
  MultiVector Z, Z_inverse;
  std::vector<MultiVector> J;
};

/**
 * A real matrix taken apart as far as well-conditioned real coordinates do it (Bavely and Stewart 1979): its
 * real Schur form, from which one block after the other is decoupled by a Sylvester equation. Blocks that
 * this would need large coordinates for (eigenvalues of one cluster, defective ones) stay together. Single
 * real eigenvalues become blocks of one row, pairs of two.
 * @param T n x n, finite @param largest entry of the solution of a Sylvester equation that is taken
 * @throws NoConvergence
 */
BlockDiagonalForm block_diagonal_form(const MultiVector& T, double largest = 1e5);

}  // namespace halfdof
