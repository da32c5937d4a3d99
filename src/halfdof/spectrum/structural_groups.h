// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <cstddef>
#include <vector>

namespace halfdof::internal {

/// Positions in a list of eigenvalues of an embedding.
struct StructuralGroups {
  std::vector<std::vector<std::size_t>> oscillating;  ///< groups of neighbours with Im > 0
  /// The two copies of each real eigenvalue, by ascending value; the last one may have one copy only.
  std::vector<std::vector<std::size_t>> real;
};

/// Returns the distance up to which another eigenvalue belongs to the same group: 1e-5 of the modulus and
/// three times the uncertainty [1/s].
double neighbour_distance(Complex value, const EigenpairResidual& residual);

/// Returns the groups of eigenvalues of an embedding. Eigenvalues whose imaginary part is not larger than
/// their uncertainty are real; the two values of such a pair count as two copies.
/// @param residuals One for each value
StructuralGroups structural_groups(const std::vector<Complex>& values,
                                   const std::vector<EigenpairResidual>& residuals);

}  // namespace halfdof::internal
