// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/spectrum/rounding_radius.h>

#include <vector>

namespace halfdof::internal {

/**
 * Estimates the effect on the eigenvalues of a small model of rounding of the entries of the assembled
 * matrices, and of rounding in computations with the matrices of the reduced system. All radii are in 1/s.
 */
class SpectrumRounding {
 public:
  /// @param M,C,K Assembled matrices, n x n each @param of_reduced RoundingRadius of the matrices of the
  /// reduced system
  SpectrumRounding(MultiVector M, MultiVector C, MultiVector K, RoundingRadius of_reduced);

  bool has_rounded_entries() const;
  /// Returns how far a root moves by rounding of the entries: RoundingRadius with the distance to the nearest
  /// other eigenvalue. If other eigenvalues are so near that they enlarge that bound, vectors of higher
  /// precision give a better one.
  double of_entries(const ExactRoot& root, double farthest) const;
  /// Returns how far copies of an eigenvalue may lie from it because of rounding in eliminations and changes
  /// of coordinates.
  double of_copies(const ExactRoot& root, double farthest) const;

 private:
  double of_zeros(Index multiplicity, double farthest) const;

  MultiVector M_, C_, K_;
  RoundingRadius of_assembled_, of_reduced_;
};

/// Roots, with those that count as zero replaced by zero.
struct WithZeros {
  std::vector<ExactRoot> roots;  ///< all roots; those that count as zero are one root 0
  std::vector<Complex> zeros;    ///< values that count as zero; conjugates are neighbours [1/s]
  double farthest = 0;           ///< largest modulus of `zeros` [1/s]
};

/**
 * Finds the roots that cannot be distinguished from zero because of rounding of the entries, if the entries
 * are rounded: rounding splits the double zero of a body into a pair whose moduli are a few times their
 * rounding radius.
 */
WithZeros with_zeros(std::vector<ExactRoot> roots, const SpectrumRounding& rounding);

}  // namespace halfdof::internal
