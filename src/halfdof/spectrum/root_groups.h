// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/exact/exact_spectrum.h>

#include <vector>

namespace halfdof::internal {

/// Returns a list with each root repeated according to its multiplicity.
std::vector<Complex> copies_of(const std::vector<ExactRoot>& roots);

/// Exact eigenvalues so close to each other that one shift serves all of them, from the closed upper half
/// plane; a group on the real axis contains both eigenvalues of a conjugate pair.
struct RootGroup {
  std::vector<ExactRoot> roots;
  double farthest = 0;       ///< distance of the nearest eigenvalue of another group from the centre [1/s]
  double farthest_zero = 0;  ///< largest modulus of eigenvalues that count as zero [1/s]

  Complex centre() const;
  bool is_real() const;
  Index n_copies() const;
};

/**
 * Links roots of a pencil whose distance is at most 1e-4 of the modulus of one of them, and returns those
 * groups of linked roots whose centre is real or in the upper half plane.
 * @param rate [1/s] Replaces the distance to another group if there is only one group, with centre zero
 */
std::vector<RootGroup> root_groups(std::vector<ExactRoot> roots, double rate);

}  // namespace halfdof::internal
