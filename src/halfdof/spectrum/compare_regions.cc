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
#include <halfdof/spectrum/rectangles.h>
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

/// Returns how far each eigenvalue after may be from the one of the given entries: its error, or the
/// difference from its partner before the elimination if that is larger.
/// @param tolerance The relative error of eigenvalues whose error is not known
std::vector<double> errors_of(const SpectrumComparison& found, double tolerance) {
  std::vector<double> errors;
  for (std::size_t j = 0; j < found.residuals.size(); ++j) {
    const double error = found.residuals[j].error();
    errors.push_back(std::max(std::isnan(error) ? tolerance * std::abs(found.after.finite[j]) : error,
                              found.residuals[j].set_to_zero));
  }
  for (const MatchedEigenvalues& pair : found.matching.pairs)
    errors[pair.place_after] = std::max(errors[pair.place_after], std::abs(pair.after - pair.before));
  return errors;
}

/// Collects the eigenvalues of a rectangle of the upper half plane, and their conjugates, from several
/// searches, each eigenvalue from the first complete disc that contains it.
template <class Engine>
class RegionSearch {
 public:
  RegionSearch(const ReducedSystem<Engine>& reduced, const Rectangle& upper, const ComparisonOptions& options)
      : reduced_(reduced), upper_(upper), options_(options) {
    found_.is_whole = false;
    options_.listed = Listed::all;
    options_.counting = Counting::where_cheap;
    options_.order = PairOrder::modulus;
  }

  /// Searches about the centers of cells, of which the largest come first, and halves each cell that no disc
  /// covers, until `is_met()` is true. Returns a cell that is left, if cells become small or searches many.
  template <class Met>
  std::optional<Cell> cover(const Cell& whole, const Met& is_met) {
    constexpr double smallest = 1e-4;  // cells that discs cover only together are not halved without end
    std::deque<Cell> cells{whole};
    for (; !cells.empty() && !is_met(); cells.pop_front()) {
      const Cell cell = cells.front();
      if (is_covered(cell)) continue;
      const bool is_smallest = cell.diagonal() < smallest * whole.diagonal();
      if (is_smallest || !is_covered(cell.center())) search(cell.center());
      if (is_covered(cell)) continue;
      if (is_smallest || n_searches_ >= options_.most_searched) return cell;
      for (const Cell& half : cell.halves())
        cells.push_back(half);
    }
    return std::nullopt;
  }

  /// Returns the comparison of the eigenvalues of the rectangle that were found.
  SpectrumComparison result() const {
    SpectrumComparison result = found_;
    result.before.finite.insert(result.before.finite.end(), result.matching.missing.begin(),
                                result.matching.missing.end());
    return result;
  }

  /// Returns the eigenvalues that were found in the discs, including those outside the rectangle.
  const std::vector<Complex>& known() const { return known_; }
  /// Returns how far each of these may be from the eigenvalue of the given entries [1/s].
  const std::vector<double>& errors() const { return errors_; }
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
    const auto is_new_inside = [&](Complex value) {
      return is_new(value) && upper_.contains(in_upper_half_plane(value));
    };
    const std::vector<double> errors = errors_of(found, options_.matching.tolerance);
    std::vector<std::size_t> place_after(found.after.finite.size(), none);
    for (std::size_t j = 0; j < place_after.size(); ++j) {
      const Complex value = found.after.finite[j];
      if (is_new(value)) {
        known_.push_back(value);
        errors_.push_back(errors[j]);
      }
      if (!is_new_inside(value)) continue;
      place_after[j] = found_.after.finite.size();
      found_.after.finite.push_back(value);
      found_.residuals.push_back(found.residuals[j]);
    }
    for (MatchedEigenvalues pair : found.matching.pairs) {
      pair.place_after = place_after[pair.place_after];
      if (pair.place_after == none) continue;
      pair.place_before = found_.before.finite.size();
      found_.before.finite.push_back(pair.before);
      found_.matching.pairs.push_back(pair);
    }
    for (const Complex value : found.matching.missing)
      if (is_new_inside(value)) found_.matching.missing.push_back(value);
    for (const Complex value : found.matching.extra)
      if (is_new_inside(value)) found_.matching.extra.push_back(value);
    found_.before.n_infinite = found.before.n_infinite;
    if (!found.before.reliable) {
      found_.before.reliable = false;
      found_.before.reason = found.before.reason;
    }
  }

  const ReducedSystem<Engine>& reduced_;
  Rectangle upper_;
  ComparisonOptions options_;
  std::vector<CompleteDisc> discs_;
  std::vector<Complex> known_;
  std::vector<double> errors_;
  Index n_searches_ = 0;
  static constexpr Index most_of_a_search = 20;
  Index k_ = most_of_a_search;  ///< number of eigenvalues of the last search
  SpectrumComparison found_;
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

/// Returns the lowest nonzero imaginary part of the list; the limit if there is none.
double lowest_frequency(const SpectrumComparison& list, double limit) {
  double lowest = limit;
  for (const Complex value : list.after.finite)
    if (value.imag() != 0) lowest = std::min(lowest, std::abs(value.imag()));
  return lowest;
}

/// Lists and counts the eigenvalues of a rectangle.
template <class Engine>
class CountedRegion {
 public:
  /// @param listed Listed::oscillating: the rectangle begins at the real axis, and eigenvalues that do not
  /// oscillate are omitted
  /// @param advice What to do if the searches do not end
  CountedRegion(const ReducedSystem<Engine>& reduced, const Rectangle& region, Listed listed,
                const ComparisonOptions& options, std::string advice)
      : reduced_(reduced),
        region_(region),
        upper_(upper_half(widened(region, widenings.back()))),
        listed_(listed),
        options_(options),
        advice_(std::move(advice)),
        search_(reduced, upper_, options) {}

  SpectrumComparison result() {
    cover_middle();
    if (listed_ == Listed::all || !is_known_down_to_axis()) count_and_search();
    count_.n_searches = search_.n_searches();
    SpectrumComparison found = list();
    found.completeness =
        count_.is_complete() && (listed_ == Listed::all || count_.counted.lower_left.imag() == 0)
            ? Completeness::counted
            : Completeness::unknown;
    found.requested_shift = found.shift = (region_.lower_left + region_.upper_right) / 2.;
    found.counted = count_;
    return found;
  }

 private:
  static constexpr std::array<double, 3> widenings{1e-9, 1e-6, 1e-3};

  void count_and_search() {
    count();
    for (;; ++widening_, count()) {
      search_.cover({upper_.lower_left, upper_.upper_right}, [&] {
        update_found();
        return !count_.count.n || count_.is_complete();
      });
      update_found();
      // The searches may have found an eigenvalue near the rim that was not known before.
      if (!count_.count.n || !uncertain_at_rim()) return;
    }
  }

  /// Counts the eigenvalues of a band from zero together with their conjugates and those that do not
  /// oscillate. Returns whether all of them are known, so that none is missing down to the real axis.
  bool is_known_down_to_axis() {
    const Rectangle both = widened({-region_.upper_right, region_.upper_right}, widenings.front());
    count_.counted = both;
    if (uncertain_at_rim()) return false;
    count_.count = count_in_rectangle(reduced_, both, search_.known());
    const auto n_known = std::count_if(search_.known().begin(), search_.known().end(),
                                       [&](Complex value) { return both.contains(value); });
    if (count_.count.n != n_known) return false;
    wide_ = both;
    count_.counted.lower_left.imag(0);
    update_found();
    count_.count.n = count_.n_found;
    return true;
  }

  /// Searches until complete discs cover the part of the imaginary axis within the rectangle; if there is
  /// none, the line through its middle along the longer sides.
  void cover_middle() {
    const Complex low = upper_.lower_left, high = upper_.upper_right, middle = (low + high) / 2.;
    Cell line{low, high};
    if (low.real() < 0 && high.real() > 0)
      line = {{0, low.imag()}, {0, high.imag()}};
    else if (high.imag() - low.imag() > high.real() - low.real())
      line = {{middle.real(), low.imag()}, {middle.real(), high.imag()}};
    else
      line = {{low.real(), middle.imag()}, {high.real(), middle.imag()}};
    if (const auto left = search_.cover(line, [] { return false; }))
      throw NoConvergence(
          search_.n_searches() < options_.most_searched
              ? "Near " + number_text(left->center()) +
                    " 1/s, the eigenvalues lie so densely that the searches do not end. " + advice_
              : std::to_string(search_.n_searches()) + " searches did not reach the eigenvalues near " +
                    number_text(left->center()) + " 1/s. " + advice_,
          left->diagonal());
  }

  /// Sets the rectangle that is listed, and the part of it that is counted.
  void widen(double part) {
    wide_ = count_.counted = widened(region_, part);
    if (listed_ == Listed::oscillating)
      count_.counted.lower_left.imag(lowest_frequency(list(), region_.upper_right.imag()) / 2);
  }

  /// Returns the position of a known eigenvalue that is less certain than its distance from the rim.
  std::optional<std::size_t> uncertain_at_rim() const {
    for (std::size_t j = 0; j < search_.known().size(); ++j)
      if (distance_from_rim(count_.counted, search_.known()[j]) <= search_.errors()[j]) return j;
    return std::nullopt;
  }

  void refuse_uncertain_rim() {
    const std::optional<std::size_t> place = uncertain_at_rim();
    if (!place) return;
    count_.count.n.reset();
    count_.count.reason = "the eigenvalue " + number_text(search_.known()[*place]) +
                          " 1/s is known to within " + number_text(search_.errors()[*place]) +
                          " 1/s, and may lie on either side of the rim";
  }

  /// Counts the eigenvalues of the first rectangle, from the present widening on, whose rim is far enough
  /// from all of them. The cost is that of all counts.
  void count() {
    for (; widening_ < widenings.size(); ++widening_) {
      const double narrower = wide_.lower_left.real();
      widen(widenings[widening_]);
      if (wide_.lower_left.real() == narrower || uncertain_at_rim()) continue;
      const EigenvalueCount before = count_.count;
      count_.count = count_in_rectangle(reduced_, count_.counted, search_.known());
      count_.count.n_factorizations += before.n_factorizations;
      count_.count.seconds += before.seconds;
      if (count_.count.n || !count_.count.is_rim_near) return;
    }
    refuse_uncertain_rim();
  }

  /// Returns the comparison of the eigenvalues that were found.
  SpectrumComparison list() const {
    SpectrumComparison found = search_.result();
    if (listed_ == Listed::oscillating) keep_listed(found, listed_, options_.matching.tolerance);
    const auto is_inside = [&](Complex value) {
      return wide_.contains(value) || wide_.contains(std::conj(value));
    };
    std::vector<bool> kept;
    for (const Complex value : found.after.finite)
      kept.push_back(is_inside(value));
    keep_only(found, kept, is_inside, options_.matching.tolerance);
    return found;
  }

  void update_found() {
    const std::vector<Complex> values = list().after.finite;
    count_.n_found = std::count_if(values.begin(), values.end(),
                                   [&](Complex value) { return count_.counted.contains(value); });
  }

  const ReducedSystem<Engine>& reduced_;
  Rectangle region_, upper_, wide_{};
  Listed listed_;
  ComparisonOptions options_;
  std::string advice_;
  RegionSearch<Engine> search_;
  std::size_t widening_ = 0;  ///< position of the present widening
  RegionCount count_;
};

}  // namespace

template <class Engine>
SpectrumComparison compare_band(const ReducedSystem<Engine>& reduced, const FrequencyBand& band,
                                const ComparisonOptions& options) {
  check(band);
  const StageTimer stage("eigenvalues of a band");
  SpectrumComparison found =
      CountedRegion<Engine>(reduced, rectangle_of(band), band.from == 0 ? Listed::oscillating : Listed::all,
                            options,
                            "Take a band that does not contain its frequency, or a smaller largest decay.")
          .result();
  found.listed = Listed::oscillating;
  found.band = band;
  order_by(found, PairOrder::frequency);
  conclude(found, options);
  return found;
}

template <class Engine>
SpectrumComparison compare_region(const ReducedSystem<Engine>& reduced, const Rectangle& region,
                                  const ComparisonOptions& options) {
  check_rectangle(region);
  const StageTimer stage("eigenvalues of a region");
  SpectrumComparison found = CountedRegion<Engine>(reduced, region, Listed::all, options,
                                                   "Take a region that does not contain this point.")
                                 .result();
  found.region = region;
  order_by(found, options.order);
  conclude(found, options);
  return found;
}

template SpectrumComparison compare_region(const ReducedSystem<InstantiatedEngine>&, const Rectangle&,
                                           const ComparisonOptions&);
template SpectrumComparison compare_band(const ReducedSystem<InstantiatedEngine>&, const FrequencyBand&,
                                         const ComparisonOptions&);

}  // namespace halfdof
