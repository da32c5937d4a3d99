#pragma once

#include <halfdof/base/types.h>

#include <cstddef>
#include <vector>

namespace halfdof {

struct MatchingOptions {
  double tolerance = 1e-6;       ///< largest relative difference at which two eigenvalues agree
  double unmatched_above = 0.1;  ///< relative difference above which two eigenvalues are no pair
};

/// One eigenvalue found twice.
struct MatchedEigenvalues {
  Complex before;
  Complex after;
  double uncertainty = 0;        ///< how far rounding may have moved them [1/s]
  std::size_t place_before = 0;  ///< in the list before
  std::size_t place_after = 0;   ///< in the list after

  /// @f$ |\lambda - \mu| / \max(|\lambda|, |\mu|) @f$: of their own, zero for two zeros.
  double relative_difference() const;
  /// Whether they differ by no more than a part of themselves, or by no more than their uncertainty.
  bool agree(double tolerance) const;
  /// Whether the uncertainty alone makes them agree.
  bool agree_within_rounding(double tolerance) const;
};

/// How two lists of eigenvalues agree.
struct SpectrumMatching {
  std::vector<MatchedEigenvalues> pairs;  ///< by ascending modulus
  std::vector<Complex> missing;           ///< only before
  std::vector<Complex> extra;             ///< only after
  /// Of all pairs that do not agree within rounding alone; a missing or extra eigenvalue counts as one.
  double max_relative_difference = 0;
  bool passed = true;  ///< nothing missing, nothing extra, all pairs agree
};

/// Fills in what the pairs and the lists amount to.
void judge(SpectrumMatching& matching, const MatchingOptions& options = {});

/**
 * Pairs two lists of eigenvalues by the assignment with the least sum of relative differences
 * @f$ |\lambda - \mu| / \max(|\lambda|, |\mu|) @f$, each by its own modulus: a slow eigenvalue is held to as
 * many digits as a fast one. Eigenvalues that differ by less than the uncertainty of the one after, zeros or
 * copies that rounding splits, are a pair whatever their moduli.
 *
 * @param uncertainties One for each of `after` [1/s], not negative; none: zero for all
 * @throws InvalidInput if an eigenvalue is not finite, or the numbers of entries differ
 */
SpectrumMatching match_eigenvalues(const std::vector<Complex>& before, const std::vector<Complex>& after,
                                   const std::vector<double>& uncertainties = {},
                                   const MatchingOptions& options = {});

/// How far the nearer one of a value and its conjugate is from a shift.
double distance_of_pair(Complex value, Complex shift);

/**
 * The places of the k values nearest to a shift, nearest first, and those of the conjugates of these, each
 * behind the one that is nearer. All places where there are no more.
 * @param values Closed under conjugation: the two of a pair stand side by side
 */
std::vector<std::size_t> nearest_places(const std::vector<Complex>& values, Complex shift, Index k);

}  // namespace halfdof
