// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/spectrum/compare_near.h>
#include <halfdof/spectrum/comparison_lists.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/small_spectrum.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace halfdof {

using namespace internal;

namespace {

/// The disc |z - center| < radius of the upper half plane. The search about the center has found all its
/// eigenvalues, and none lies near its rim.
struct CompleteDisc {
  Complex center;
  double radius;  ///< infinite if all eigenvalues were found
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

/// A rectangle of the complex plane, or a segment if its width or height is zero.
struct Cell {
  Complex lower_left, upper_right;
  Complex center() const { return (lower_left + upper_right) / 2.; }
  double diagonal() const { return std::abs(upper_right - lower_left); }
  std::array<Complex, 4> corners() const {
    return {lower_left, upper_right, Complex(lower_left.real(), upper_right.imag()),
            Complex(upper_right.real(), lower_left.imag())};
  }
  /// Returns the two halves, divided across the longer side.
  std::array<Cell, 2> halves() const {
    const Complex side = upper_right - lower_left;
    const bool is_tall = side.imag() > side.real();
    const Complex half = is_tall ? Complex(0, side.imag() / 2) : Complex(side.real() / 2, 0);
    return {Cell{lower_left, upper_right - half}, Cell{lower_left + half, upper_right}};
  }
};

/// Collects the eigenvalues of a band from several searches, each eigenvalue from the first complete disc
/// that contains it.
template <class Engine>
class BandSearch {
 public:
  BandSearch(const ReducedSystem<Engine>& reduced, const FrequencyBand& limits,
             const ComparisonOptions& options)
      : reduced_(reduced), limits_(limits), options_(options) {
    band_.is_whole = false;
    band_.listed = Listed::oscillating;
    options_.listed = Listed::all;
    options_.counting = Counting::where_cheap;
  }

  /// Searches about the imaginary axis until complete discs cover it from the lower to the upper limit.
  void cover_axis() {
    const auto left = cover({{0, 2 * pi * limits_.from}, {0, 2 * pi * limits_.to}}, [] { return false; });
    if (left)
      throw NoConvergence(
          "Near " + number_text(left->center()) +
              " 1/s, the eigenvalues lie so densely that the searches for those of the band do "
              "not end. Take other limits of the band, or a smaller largest decay.",
          left->diagonal());
  }

  /// Searches until complete discs cover the band, `is_met()` is true, or eigenvalues lie too densely.
  template <class Met>
  void cover_band(const Met& is_met) {
    const double decay = limits_.largest_decay();
    cover({{-decay, 2 * pi * limits_.from}, {decay, 2 * pi * limits_.to}}, is_met);
  }

  /// Returns the comparison of the eigenvalues of the band that were found.
  SpectrumComparison result() const {
    SpectrumComparison found = band_;
    found.before.finite.insert(found.before.finite.end(), found.matching.missing.begin(),
                               found.matching.missing.end());
    return found;
  }

  /// Returns the eigenvalues of the complete discs, inside and outside the band.
  const std::vector<Complex>& known() const { return known_; }
  Index n_searches() const { return n_searches_; }

 private:
  bool is_covered(Complex value) const {
    return std::any_of(discs_.begin(), discs_.end(),
                       [&](const CompleteDisc& disc) { return disc.contains(value); });
  }

  /// Whether one disc contains the whole cell.
  bool is_covered(const Cell& cell) const {
    const std::array<Complex, 4> corners = cell.corners();
    return std::any_of(discs_.begin(), discs_.end(), [&](const CompleteDisc& disc) {
      return std::all_of(corners.begin(), corners.end(),
                         [&](Complex corner) { return disc.contains(corner); });
    });
  }

  /// Searches about the centers of cells, of which the largest come first, and halves each cell that no disc
  /// covers. Returns a cell that is left, if cells become small or searches many.
  template <class Met>
  std::optional<Cell> cover(const Cell& whole, const Met& is_met) {
    constexpr double smallest = 1e-4;  // cells that discs cover only together are not halved without end
    std::deque<Cell> cells{whole};
    for (; !cells.empty() && !is_met(); cells.pop_front()) {
      const Cell cell = cells.front();
      if (is_covered(cell)) continue;
      if (!is_covered(cell.center())) search(cell.center());
      if (is_covered(cell)) continue;
      if (cell.diagonal() < smallest * whole.diagonal() || n_searches_ >= options_.most_searched) return cell;
      for (const Cell& half : cell.halves())
        cells.push_back(half);
    }
    return std::nullopt;
  }

  /// Adds the complete disc about a shift, if a search about the shift finds one.
  void search(Complex shift) {
    options_.shift = shift;
    ++n_searches_;
    const std::optional<SpectrumComparison> found = nearest_to_shift();
    if (!found) return;
    const CompleteDisc disc{in_upper_half_plane(shift), radius_in_gap(*found)};
    if (disc.radius == 0) return;
    add(*found, disc);
    discs_.push_back(disc);
  }

  /// Returns eigenvalues nearest to options_.shift, or nothing if none of them converges. Where many
  /// eigenvalues lie at nearly the same distance from the shift, as relaxations do, only those that lie
  /// nearer can be found; the next search begins with their number, others with up to twice the last number.
  std::optional<SpectrumComparison> nearest_to_shift() {
    if (reduced_.unreduced().system().dofs().n_global() <= whole_up_to)
      return compare_all(reduced_, options_);
    for (bool has_stalled = false;;) {
      try {
        SpectrumComparison found = compare_near(reduced_, k_, options_, 0);
        const bool are_equally_far = !found.is_whole && radius_in_gap(found) == 0;
        if (are_equally_far && !has_stalled && k_ < options_.most_searched) {
          k_ = std::min(2 * k_, options_.most_searched);
          continue;
        }
        if (!has_stalled) k_ = std::min(2 * k_, most_of_a_search);
        return found;
      } catch (const StalledSearch& stalled) {
        if (stalled.n_converged() == 0 || k_ == 1) return std::nullopt;
        k_ = std::min(k_ - 1, stalled.n_converged());
        has_stalled = true;
      }
    }
  }

  void add(const SpectrumComparison& found, const CompleteDisc& disc) {
    constexpr auto none = std::numeric_limits<std::size_t>::max();
    const auto is_new = [&](Complex value) {
      const Complex upper = in_upper_half_plane(value);
      return disc.contains(upper) && !is_covered(upper);
    };
    const auto is_new_in_band = [&](Complex value) {
      return is_new(value) && limits_.contains(in_upper_half_plane(value));
    };
    std::vector<std::size_t> place_after(found.after.finite.size(), none);
    for (std::size_t j = 0; j < place_after.size(); ++j) {
      const Complex value = found.after.finite[j];
      if (is_new(value)) known_.push_back(value);
      if (!is_new_in_band(value)) continue;
      place_after[j] = band_.after.finite.size();
      band_.after.finite.push_back(value);
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
      if (is_new_in_band(value)) band_.matching.missing.push_back(value);
    for (const Complex value : found.matching.extra)
      if (is_new_in_band(value)) band_.matching.extra.push_back(value);
    band_.before.n_infinite = found.before.n_infinite;
    if (!found.before.reliable) {
      band_.before.reliable = false;
      band_.before.reason = found.before.reason;
    }
  }

  const ReducedSystem<Engine>& reduced_;
  FrequencyBand limits_;
  ComparisonOptions options_;
  std::vector<CompleteDisc> discs_;
  std::vector<Complex> known_;
  Index n_searches_ = 0;
  static constexpr Index most_of_a_search = 20;
  Index k_ = most_of_a_search;  ///< number of eigenvalues of the last search
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
  check(band);
  const StageTimer stage("eigenvalues of a band");
  const FrequencyBand wide{band.from * (1 - widening), band.to * (1 + widening), band.decay_limit};
  BandSearch<Engine> search(reduced, wide, options);
  const auto found_oscillating = [&] {
    SpectrumComparison found = search.result();
    if (band.from == 0) keep_listed(found, Listed::oscillating, options.matching.tolerance);
    return found;
  };
  search.cover_axis();
  BandCount result{band, wide, {}, 0, 0};
  if (band.from == 0) result.counted.from = lowest_frequency(found_oscillating(), band.to) / 2;
  result.count = count_in_band(reduced, result.counted, search.known());
  const auto is_met = [&] {
    const std::vector<Complex> values = found_oscillating().after.finite;
    result.n_found = std::count_if(values.begin(), values.end(),
                                   [&](Complex value) { return result.counted.contains(value); });
    return !result.count.n || result.n_found >= *result.count.n;
  };
  search.cover_band(is_met);
  result.n_searches = search.n_searches();
  SpectrumComparison found = found_oscillating();
  found.completeness = result.is_complete() ? Completeness::counted : Completeness::unknown;
  found.requested_shift = found.shift = Complex(0, pi * (wide.from + wide.to));
  found.band = std::move(result);
  order_by_frequency(found);
  conclude(found, options);
  return found;
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
  const StageTimer stage("eigenvalues of a region");
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
