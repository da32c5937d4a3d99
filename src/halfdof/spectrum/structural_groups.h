// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace halfdof::internal {

/// Positions in a list of eigenvalues of an embedding.
struct StructuralGroups {
  std::vector<std::vector<std::size_t>> oscillating;  ///< groups of neighbours with Im > 0
  /// The two copies of each real eigenvalue, by ascending value. One of the copies may be missing where the
  /// list was cut.
  std::vector<std::vector<std::size_t>> real;
};

/// Returns the distance up to which another eigenvalue belongs to the same group: 1e-5 of the modulus and
/// three times the uncertainty [1/s].
double neighbour_distance(Complex value, const EigenpairResidual& residual);

/// Returns the groups of eigenvalues of an embedding. Eigenvalues whose imaginary part is not larger than
/// their uncertainty are real; the two values of such a pair count as two copies. Copies are pairs of
/// neighbours (neighbour_distance()). Where an odd number of neighbours is listed, the one is left alone
/// without which the distances within pairs are least.
/// @param residuals One for each value
StructuralGroups structural_groups(const std::vector<Complex>& values,
                                   const std::vector<EigenpairResidual>& residuals);

/**
 * Computes lists of the eigenvalues of an embedding that are nearest to a shift, each half as long again as
 * the one before, and returns the first one that suffices or has all eigenvalues. The first list is long
 * enough for n_modes oscillations, each with its growing partner and, at a real shift, with the conjugates of
 * both.
 *
 * @param n_modes At least one @param n_states Number of eigenvalues of the embedding
 * @param list_of Returns the list of the k nearest eigenvalues @param suffices Whether a list of k suffices
 */
template <class ListOf, class Suffices>
auto list_with_modes(Index n_modes, Complex shift, GlobalIndex n_states, const ListOf& list_of,
                     const Suffices& suffices) {
  const GlobalIndex all = std::max<GlobalIndex>(n_states, 1);
  for (GlobalIndex k = (shift.imag() == 0 ? 4 : 2) * static_cast<GlobalIndex>(n_modes);; k += k / 2) {
    k = std::min(k, all);
    auto list = list_of(static_cast<Index>(k));
    if (k == all || suffices(list, static_cast<Index>(k))) return list;
  }
}

}  // namespace halfdof::internal
