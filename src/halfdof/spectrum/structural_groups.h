// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>

#include <cstddef>
#include <vector>

namespace halfdof::internal {

/// Positions in the list after the elimination.
struct StructuralGroups {
  std::vector<std::vector<std::size_t>> oscillating;  ///< groups of neighbours with Im > 0
  std::vector<std::size_t> real;                      ///< one place for each two copies of a real eigenvalue
};

/// Returns the distance up to which another eigenvalue belongs to the same group: 1e-5 of the modulus and
/// three times the uncertainty [1/s].
double neighbour_distance(const SpectrumComparison& comparison, std::size_t place);

/// Returns the groups of eigenvalues of an embedding. Eigenvalues whose imaginary part is not larger than
/// their uncertainty are real; the two values of such a pair count as two copies.
StructuralGroups structural_groups(const SpectrumComparison& comparison);

}  // namespace halfdof::internal
