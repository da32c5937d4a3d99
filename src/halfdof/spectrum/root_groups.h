#pragma once

#include <halfdof/linear_algebra/exact/exact_spectrum.h>

#include <vector>

namespace halfdof {

/// Each root as often as it is one.
std::vector<Complex> copies_of(const std::vector<ExactRoot>& roots);

/// Exact eigenvalues so close to each other that one shift serves them all. Of the closed upper half plane; a
/// group on the real axis holds both of a pair.
struct RootGroup {
  std::vector<ExactRoot> roots;
  double farthest = 0;       ///< [1/s] from the centre to the nearest eigenvalue of another group
  double farthest_zero = 0;  ///< [1/s] largest modulus that counts as zero

  Complex centre() const;
  bool is_real() const;
  Index n_copies() const;
};

/**
 * Links roots of a pencil whose distance is at most 1e-4 of the modulus of one of them, and returns those
 * groups of linked roots whose centre is real or in the upper half plane.
 * @param rate [1/s] What stands for the distance to another group where there is none, and the only one is
 * zero
 */
std::vector<RootGroup> root_groups(std::vector<ExactRoot> roots, double rate);

}  // namespace halfdof
