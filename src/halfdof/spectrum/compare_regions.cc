// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/comparison_lists.h>
#include <halfdof/spectrum/small_spectrum.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace halfdof {

using namespace internal;

namespace {

/// The disc |z - center| < radius of the upper half plane. The search about the center has found all its
/// eigenvalues, and none lies near its rim.
struct CompleteDisc {
  Complex center;
  double radius;
  bool contains(Complex value) const { return std::abs(value - center) < radius; }
};

Complex in_upper_half_plane(Complex value) {
  return {value.real(), std::abs(value.imag())};
}

/// Returns a radius in the widest gap between the larger distances of the listed eigenvalues from the shift;
/// zero if all distances are equal.
double radius_in_gap(const SpectrumComparison& list) {
  constexpr double part = 0.75, narrowest = 1e-6;
  if (list.is_whole) return std::numeric_limits<double>::infinity();
  std::vector<double> distances;
  for (const Complex value : list.after.finite)
    if (value.imag() >= 0) distances.push_back(distance_of_pair(value, list.requested_shift));
  std::sort(distances.rbegin(), distances.rend());
  double radius = 0, widest = distances.empty() ? 0 : narrowest * distances.front();
  for (std::size_t i = 1; i < distances.size(); ++i) {
    if (const double gap = distances[i - 1] - distances[i]; gap > widest) {
      widest = gap;
      radius = distances[i] + gap / 2;
    }
    if (radius > 0 && distances[i] < part * distances.front()) break;
  }
  return radius;
}

/// Collects the eigenvalues of a band from several searches, each eigenvalue from the first complete disc
/// that contains it.
template <class Engine>
class BandSearch {
 public:
  /// @param k Eigenvalues of each search
  BandSearch(const ReducedSystem<Engine>& reduced, const FrequencyBand& limits, Index k,
             const ComparisonOptions& options)
      : reduced_(reduced),
        limits_(limits),
        lower_(2 * pi * limits.from),
        upper_(2 * pi * limits.to),
        k_(k),
        options_(options) {
    band_.is_whole = false;
    band_.listed = Listed::oscillating;
    options_.listed = Listed::all;
    options_.counting = Counting::where_cheap;
  }

  /// Searches until complete discs cover the imaginary axis from the lower to the upper limit.
  SpectrumComparison run() {
    double begin = lower_, reach = 0;
    while (begin < upper_) {
      // The first search is about the middle, and each later one about a point beside the disc before it.
      const double middle = (begin + end_of_gap(begin)) / 2,
                   shift = reach > 0 ? std::min(middle, begin + reach) : middle;
      reach = search(shift);
      begin = end_of_discs(lower_);
    }
    band_.before.finite.insert(band_.before.finite.end(), band_.matching.missing.begin(),
                               band_.matching.missing.end());
    return std::move(band_);
  }

  Index n_searches() const { return static_cast<Index>(discs_.size()); }

 private:
  /// Returns the first point above `begin` on the axis that no disc covers; at least the upper limit if there
  /// is none.
  double end_of_discs(double begin) const {
    for (bool grows = true; grows;) {
      grows = false;
      for (const CompleteDisc& disc : discs_)
        if (const double end = top_of(disc); bottom_of(disc) <= begin && end > begin) {
          begin = end;
          grows = true;
        }
    }
    return begin;
  }

  /// Returns the first point above `begin` that a disc covers, and at most the upper limit.
  double end_of_gap(double begin) const {
    double end = upper_;
    for (const CompleteDisc& disc : discs_)
      if (top_of(disc) > begin) end = std::min(end, std::max(begin, bottom_of(disc)));
    return end;
  }

  /// Half the length of the imaginary axis within a disc, whose center may lie off the axis.
  static double half_chord(const CompleteDisc& disc) {
    const double off = std::abs(disc.center.real());
    if (std::isinf(disc.radius)) return disc.radius;
    return disc.radius > off ? std::sqrt((disc.radius - off) * (disc.radius + off)) : 0;
  }
  static double top_of(const CompleteDisc& disc) { return disc.center.imag() + half_chord(disc); }
  static double bottom_of(const CompleteDisc& disc) { return disc.center.imag() - half_chord(disc); }

  /// Searches about i omega, with more eigenvalues if the disc would not contain i omega. Returns half the
  /// length of the axis that the disc covers.
  double search(double omega) {
    options_.shift = Complex(0, omega);
    for (Index k = k_;; k = std::min(2 * k, options_.most_searched)) {
      const SpectrumComparison found = reduced_.unreduced().system().dofs().n_global() <= whole_up_to
                                           ? compare_all(reduced_, options_)
                                           : compare_spectra(reduced_, k, options_);
      const CompleteDisc disc{in_upper_half_plane(found.requested_shift), radius_in_gap(found)};
      if (bottom_of(disc) < omega && top_of(disc) > omega) {
        add(found, disc);
        discs_.push_back(disc);
        return half_chord(disc);
      }
      if (k >= options_.most_searched)
        throw NoConvergence(
            "the " + std::to_string(k) + " eigenvalues nearest to the shift " + number_text(options_.shift) +
                " 1/s have nearly the same distance from it, so that those of the band cannot "
                "be told from others. Take other limits of the band.",
            disc.radius);
    }
  }

  bool is_new(Complex value, const CompleteDisc& disc) const {
    const Complex upper = in_upper_half_plane(value);
    return limits_.contains(upper) && disc.contains(upper) &&
           std::none_of(discs_.begin(), discs_.end(),
                        [&](const CompleteDisc& before) { return before.contains(upper); });
  }

  void add(const SpectrumComparison& found, const CompleteDisc& disc) {
    constexpr auto none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> place_after(found.after.finite.size(), none);
    for (std::size_t j = 0; j < place_after.size(); ++j) {
      if (!is_new(found.after.finite[j], disc)) continue;
      place_after[j] = band_.after.finite.size();
      band_.after.finite.push_back(found.after.finite[j]);
      band_.residuals.push_back(found.residuals[j]);
    }
    for (MatchedEigenvalues pair : found.matching.pairs) {
      pair.place_after = place_after[pair.place_after];
      if (pair.place_after == none) continue;
      pair.place_before = band_.before.finite.size();
      band_.before.finite.push_back(pair.before);
      band_.matching.pairs.push_back(pair);
    }
    for (const Complex value : found.matching.missing)
      if (is_new(value, disc)) band_.matching.missing.push_back(value);
    for (const Complex value : found.matching.extra)
      if (is_new(value, disc)) band_.matching.extra.push_back(value);
    band_.before.n_infinite = found.before.n_infinite;
    if (!found.before.reliable) {
      band_.before.reliable = false;
      band_.before.reason = found.before.reason;
    }
  }

  const ReducedSystem<Engine>& reduced_;
  FrequencyBand limits_;
  double lower_, upper_;  ///< limits of the imaginary part [1/s]
  Index k_;
  ComparisonOptions options_;
  std::vector<CompleteDisc> discs_;
  SpectrumComparison band_;
};

void check(const FrequencyBand& band) {
  if (band.from >= 0 && band.from < band.to && std::isfinite(2 * pi * band.to * band.to)) {
    if (band.decay_limit > 0) return;
    throw InvalidInput("The largest decay of the band is " + number_text(band.decay_limit) +
                       " 1/s. It must be positive.");
  }
  throw InvalidInput("The band of frequencies goes from " + number_text(band.from) + " to " +
                     number_text(band.to) +
                     ". It must begin at zero or above, end above its begin, and be finite.");
}

/// Returns the lowest nonzero frequency of the list; the end of the band if there is none.
double lowest_frequency(const SpectrumComparison& list, double end) {
  double lowest = end;
  for (const Complex value : list.after.finite)
    if (value.imag() != 0) lowest = std::min(lowest, std::abs(value.imag()) / (2 * pi));
  return lowest;
}

}  // namespace

template <class Engine>
SpectrumComparison compare_band(const ReducedSystem<Engine>& reduced, const FrequencyBand& band,
                                const ComparisonOptions& options) {
  constexpr double widening = 1e-9;
  constexpr Index first_k = 20;
  check(band);
  const Stage stage("eigenvalues of a band");
  const FrequencyBand wide{band.from * (1 - widening), band.to * (1 + widening), band.decay_limit};
  const auto n_in_band = [](const SpectrumComparison& list, const FrequencyBand& counted) {
    return std::count_if(list.after.finite.begin(), list.after.finite.end(),
                         [&](Complex value) { return counted.contains(value); });
  };
  Index n_searches = 0;
  for (Index k = first_k;; k = std::min(2 * k, std::max(first_k, options.most_searched))) {
    BandSearch<Engine> search(reduced, wide, k, options);
    SpectrumComparison found = search.run();
    n_searches += search.n_searches();
    if (band.from == 0) keep_listed(found, Listed::oscillating, options.matching.tolerance);
    BandCount result{band, wide, {}, 0, n_searches};
    if (band.from == 0) result.counted.from = lowest_frequency(found, band.to) / 2;
    result.count = count_in_band(reduced, result.counted, found.after.finite);
    result.n_found = n_in_band(found, result.counted);
    const bool may_find_more = result.count.n && result.n_found < *result.count.n &&
                               k < options.most_searched && k < reduced.n_states();
    if (may_find_more) continue;
    found.completeness = result.is_complete() ? Completeness::counted : Completeness::unknown;
    found.requested_shift = found.shift = Complex(0, pi * (wide.from + wide.to));
    found.band = std::move(result);
    order_by_frequency(found);
    conclude(found, options);
    return found;
  }
}

template <class Engine>
SpectrumComparison compare_region(const ReducedSystem<Engine>& reduced, const Rectangle& region,
                                  const ComparisonOptions& options) {
  constexpr Index first_k = 20;
  const Complex diagonal = region.upper_right - region.lower_left;
  if (!(diagonal.real() > 0) || !(diagonal.imag() > 0) || !std::isfinite(std::norm(region.lower_left)) ||
      !std::isfinite(std::norm(region.upper_right)))
    throw InvalidInput("The region from " + number_text(region.lower_left) + " to " +
                       number_text(region.upper_right) +
                       " is no rectangle. Give two finite corners, the second one above and to the right of "
                       "the first one.");
  const Stage stage("eigenvalues of a region");
  ComparisonOptions about = options;
  about.shift = region.lower_left + diagonal / 2.;
  about.counting = Counting::always;
  about.listed = Listed::all;
  for (Index k = first_k;; k *= 2) {
    SpectrumComparison found = reduced.unreduced().system().dofs().n_global() <= whole_up_to
                                   ? compare_all(reduced, about)
                                   : compare_spectra(reduced, k, about);
    if (!found.is_whole && found.certificate && found.certificate->radius <= std::abs(diagonal) / 2) continue;
    std::vector<bool> kept;
    const auto is_inside = [&](Complex value) {
      return region.contains(value) || region.contains(std::conj(value));
    };
    for (const Complex value : found.after.finite)
      kept.push_back(is_inside(value));
    keep_only(found, kept, is_inside, options.matching.tolerance);
    found.region = region;
    conclude(found, about);
    return found;
  }
}

template SpectrumComparison compare_region(const ReducedSystem<InstantiatedEngine>&, const Rectangle&,
                                           const ComparisonOptions&);
template SpectrumComparison compare_band(const ReducedSystem<InstantiatedEngine>&, const FrequencyBand&,
                                         const ComparisonOptions&);

}  // namespace halfdof
