#pragma once

#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/spectrum/rounding_radius.h>

#include <vector>

namespace halfdof {

/**
 * What rounding of the entries of the assembled matrices, and of all that is computed with those of the
 * reduced ones, does to the eigenvalues of a small model. All radii are in 1/s.
 */
class SpectrumRounding {
 public:
  /// @param M Assembled, as C and K; n x n each @param of_reduced Of the matrices of the reduced system
  SpectrumRounding(MultiVector M, MultiVector C, MultiVector K, RoundingRadius of_reduced);

  bool has_rounded_entries() const;
  /// By the entries: RoundingRadius with the distance to the nearest other eigenvalue. Where others are so
  /// near that they have a part in that bound, precise vectors tell more.
  double of_entries(const ExactRoot& root, double farthest) const;
  /// How far copies of an eigenvalue may lie from it where eliminations and changes of coordinates round.
  double of_copies(const ExactRoot& root, double farthest) const;

 private:
  double of_zeros(Index multiplicity, double farthest) const;

  MultiVector M_, C_, K_;
  RoundingRadius of_assembled_, of_reduced_;
};

/// Roots, and how far the farthest lies from zero that counts as zero.
struct WithZeros {
  std::vector<ExactRoot> roots;  ///< all, those that count as zero as one
  std::vector<Complex> zeros;  ///< [1/s] the copies that count as zero, as they are; conjugates side by side
  double farthest = 0;         ///< [1/s]
};

/**
 * Finds what rounding of the entries does not tell from zero, where they are rounded: of the double zero of a
 * body it makes a pair within some times the radius of each.
 */
WithZeros with_zeros(std::vector<ExactRoot> roots, const SpectrumRounding& rounding);

}  // namespace halfdof
