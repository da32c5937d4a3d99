// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/assignment.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;
namespace {

void check_finite(const std::vector<Complex>& eigenvalues) {
  for (const Complex& value : eigenvalues)
    if (!std::isfinite(value.real()) || !std::isfinite(value.imag()))
      throw InvalidInput(
          "A list of eigenvalues to be matched holds one that is not finite. Count infinite "
          "eigenvalues separately, and pass the finite ones.");
}

/// Returns the relative difference of a pair. For pairs within their uncertainty it returns a smaller number
/// that increases with their distance.
double cost_of(const MatchedEigenvalues& pair, const MatchingOptions& options) {
  const double difference = pair.relative_difference();
  if (!pair.agree_within_rounding(options.tolerance)) return std::min(difference, options.unmatched_above);
  return options.tolerance * (std::abs(pair.before - pair.after) / pair.uncertainty);
}

/// Returns the row for each column, or -1 if no row is near enough.
std::vector<Index> partners(const MultiVector& cost, double unmatched_above) {
  std::vector<Index> rows = cheapest_assignment(cost);
  for (std::size_t j = 0; j < rows.size(); ++j)
    if (cost(rows[j], static_cast<Index>(j)) >= unmatched_above) rows[j] = -1;
  return rows;
}

}  // namespace

double MatchedEigenvalues::relative_difference() const {
  const double largest = std::max(std::abs(before), std::abs(after));
  return largest > 0 ? std::abs(before - after) / largest : 0.;
}

bool MatchedEigenvalues::agree(double tolerance) const {
  return relative_difference() <= tolerance || std::abs(before - after) <= uncertainty;
}

bool MatchedEigenvalues::agree_within_rounding(double tolerance) const {
  return relative_difference() > tolerance && std::abs(before - after) <= uncertainty;
}

void judge(SpectrumMatching& matching, const MatchingOptions& options) {
  matching.passed = matching.missing.empty() && matching.extra.empty();
  matching.max_relative_difference = matching.passed ? 0 : 1;
  for (const MatchedEigenvalues& pair : matching.pairs) {
    if (pair.agree_within_rounding(options.tolerance)) continue;
    matching.max_relative_difference = std::max(matching.max_relative_difference, pair.relative_difference());
    matching.passed = matching.passed && pair.agree(options.tolerance);
  }
}

SpectrumMatching match_eigenvalues(const std::vector<Complex>& before, const std::vector<Complex>& after,
                                   const std::vector<double>& uncertainties, const MatchingOptions& options) {
  check_finite(before);
  check_finite(after);
  if (!uncertainties.empty() && uncertainties.size() != after.size())
    throw InvalidInput(std::to_string(uncertainties.size()) + " uncertainties were given for " +
                       std::to_string(after.size()) + " eigenvalues. Pass one each, or none.");
  const auto pair = [&](std::size_t b, std::size_t a) {
    return MatchedEigenvalues{before[b], after[a], uncertainties.empty() ? 0. : uncertainties[a], b, a};
  };
  const bool swapped = before.size() > after.size();
  const std::size_t n_longer = std::max(before.size(), after.size()),
                    n_shorter = std::min(before.size(), after.size());
  const auto pair_of = [&](std::size_t longer, std::size_t shorter) {
    return swapped ? pair(longer, shorter) : pair(shorter, longer);
  };
  MultiVector cost(n_longer, n_shorter);
  for (std::size_t j = 0; j < n_shorter; ++j)
    for (std::size_t i = 0; i < n_longer; ++i)
      cost(static_cast<Index>(i), static_cast<Index>(j)) = cost_of(pair_of(i, j), options);

  SpectrumMatching matching;
  std::vector<bool> taken(n_longer, false);
  const std::vector<Index> rows = partners(cost, options.unmatched_above);
  for (std::size_t j = 0; j < n_shorter; ++j) {
    if (rows[j] < 0) {
      (swapped ? matching.extra : matching.missing).push_back(swapped ? after[j] : before[j]);
      continue;
    }
    const auto i = static_cast<std::size_t>(rows[j]);
    taken[i] = true;
    matching.pairs.push_back(pair_of(i, j));
  }
  for (std::size_t i = 0; i < n_longer; ++i)
    if (!taken[i]) (swapped ? matching.missing : matching.extra).push_back(swapped ? before[i] : after[i]);

  std::stable_sort(matching.pairs.begin(), matching.pairs.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.before) < std::abs(b.before); });
  judge(matching, options);
  return matching;
}

double distance_of_pair(Complex value, Complex shift) {
  return std::min(std::abs(value - shift), std::abs(std::conj(value) - shift));
}

std::vector<std::size_t> nearest_places(const std::vector<Complex>& values, Complex shift, Index k) {
  // Sorts by the distance d, or for a far shift s by d - |s| = Re((v - 2 s)^* v) / (d + |s|), which keeps the
  // digits of v.
  const auto order = [shift](Complex value) {
    const double d = std::abs(value - shift), modulus = std::abs(shift);
    const bool is_near = d <= modulus / 2 || modulus == 0;
    return std::make_pair(!is_near,
                          is_near ? d : (std::conj(value - 2. * shift) * (value / (d + modulus))).real());
  };
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t i, std::size_t j) { return order(values[i]) < order(values[j]); });
  std::vector<std::size_t> conjugate(values.size());
  std::iota(conjugate.begin(), conjugate.end(), std::size_t{0});
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    if (values[i].imag() != 0) {
      std::swap(conjugate[i], conjugate[i + 1]);
      ++i;
    }
  std::vector<std::size_t> nearest;
  std::vector<bool> taken(values.size(), false);
  for (std::size_t p = 0; p < places.size() && p < static_cast<std::size_t>(k); ++p)
    for (const std::size_t place : {places[p], conjugate[places[p]]}) {
      if (!taken[place]) nearest.push_back(place);
      taken[place] = true;
    }
  return nearest;
}

}  // namespace halfdof
