#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

struct MatchingOptions {
  double tolerance = 1e-6;       ///< largest relative difference at which two eigenvalues agree
  double unmatched_above = 0.1;  ///< relative difference above which two eigenvalues are no pair
  /// Radius of a cluster relative to the larger of its modulus and the median modulus: rounding splits a
  /// Jordan block of length two (rigid bodies, critical damping) by about the square root of machine epsilon.
  double cluster_radius = 1e-6;
};

/// One eigenvalue found twice.
struct MatchedEigenvalues {
  Complex before;
  Complex after;
  double relative_difference;  ///< in a cluster: of the two mean values
  bool in_cluster = false;
};

/// How two lists of eigenvalues agree.
struct SpectrumMatching {
  std::vector<MatchedEigenvalues> pairs;          ///< by ascending modulus
  std::vector<Complex> missing;                   ///< only before
  std::vector<Complex> extra;                     ///< only after
  double zero_scale = 1;                          ///< modulus below which differences are absolute
  double max_relative_difference = 0;             ///< a missing or extra eigenvalue counts as one
  std::size_t n_rim_before = 0, n_rim_after = 0;  ///< not compared, because the other list ends before them
  bool passed = true;  ///< nothing missing, nothing extra, all within the tolerance
};

/**
 * Pairs two lists of eigenvalues by the assignment with the least sum of relative differences
 * @f[ \frac{|\lambda - \mu|}{\max(|\lambda|, |\mu|, s)}, @f]
 * where s = zero_scale() of both lists together keeps exact zeros from making nonsense.
 *
 * Eigenvalues of a defective cluster are much more sensitive than their mean. Pairs that disagree are
 * therefore collected into clusters of radius options.cluster_radius; where the mean values of both sides
 * agree, the cluster does. Counts agree because a cluster consists of pairs.
 *
 * @throws InvalidInput if an eigenvalue is not finite.
 */
SpectrumMatching match_eigenvalues(const std::vector<Complex>& before, const std::vector<Complex>& after,
                                   const MatchingOptions& options = {});

/**
 * For lists that are complete up to some distance from a shift only: what is without counterpart because the
 * other list ends before it is no difference. Forgotten are those at least as far away (within one percent)
 * as the list that reaches less far; of a value and its conjugate the nearer counts.
 *
 * @param reach The smaller of the two distances; infinite where both lists hold all there is.
 */
void forgive_rim(SpectrumMatching& matching, Complex shift, double reach,
                 const MatchingOptions& options = {});

/**
 * How far from the shift a list holds everything: up to its farthest value if it was cut after k values
 * though there are n_all, and without end if it holds all that were to be found.
 */
double reach_of(const std::vector<Complex>& values, Complex shift, Index k, GlobalIndex n_all);

}  // namespace halfdof
