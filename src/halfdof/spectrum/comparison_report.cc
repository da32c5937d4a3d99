// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_table.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace halfdof {

using namespace internal;

namespace {

std::string text(double value) {
  return to_text(value, NumberStyle::scientific, 1);
}

/// Returns a text such as "-0.69 + 17.7i", "-0.69 +- 17.7i" for a pair, or "-3.17" for a real eigenvalue.
std::string text_of(Complex value, bool is_pair) {
  if (value.imag() == 0) return to_text(value.real(), NumberStyle::general, 10);
  std::string text = to_text(value, NumberStyle::general, 10);
  if (is_pair) text.replace(text.find(" + "), 3, " +- ");
  return text;
}

/// Returns the uncertainty relative to the eigenvalue; that of zeros in 1/s.
double uncertainty_of(const MatchedEigenvalues& pair, double distance_to_root) {
  return pair.after == 0. ? pair.uncertainty : (pair.uncertainty + distance_to_root) / std::abs(pair.after);
}

TextTable table_of(const SpectrumComparison& comparison, std::size_t n_rows) {
  TextTable table({"before [1/s]",
                   "after [1/s]",
                   {"difference", NumberStyle::scientific, 1},
                   {"uncertainty", NumberStyle::scientific, 1},
                   {"frequency [Hz]", NumberStyle::general, 6},
                   {"damping ratio", NumberStyle::general, 4},
                   "kind",
                   {"residual", NumberStyle::scientific, 1}});
  for (const MatchedEigenvalues& pair : comparison.matching.pairs) {
    const bool upper = pair.before.imag() > 0 && pair.after.imag() > 0;
    const bool lower = pair.before.imag() < 0 && pair.after.imag() < 0;
    if (lower) continue;  // listed in the row of its conjugate
    if (table.n_rows() == n_rows) break;
    const Mode mode = mode_of(pair.after);
    table.add_row({text_of(pair.before, upper), text_of(pair.after, upper), pair.relative_difference(),
                   uncertainty_of(pair, comparison.residuals[pair.place_after].distance_to_root),
                   mode.frequency, mode.damping_ratio, name_of(mode.kind),
                   comparison.residuals[pair.place_after].reduced});
  }
  return table;
}

void print_unmatched(std::ostream& out, const char* title, const std::vector<Complex>& values) {
  constexpr std::size_t n_shown = 10;
  if (values.empty()) return;
  out << title;
  for (std::size_t i = 0; i < std::min(values.size(), n_shown); ++i)
    out << (i == 0 ? " " : ", ") << text_of(values[i], false);
  if (values.size() > n_shown) out << " and " << values.size() - n_shown << " more";
  out << '\n';
}

/// Prints the effect on eigenvalues of rounding of the matrices' entries.
void print_uncertain(std::ostream& out, const SpectrumComparison& comparison) {
  constexpr std::size_t n_shown = 5;
  if (const double radius = comparison.zero_radius(); radius > 0)
    out << "eigenvalues up to " << text(radius) << " 1/s are zero up to rounding of the matrices' entries\n";
  const auto n_unknown =
      std::count_if(comparison.residuals.begin(), comparison.residuals.end(),
                    [](const EigenpairResidual& residual) { return std::isnan(residual.uncertainty); });
  if (n_unknown > 0)
    out << "how far rounding of the matrices' entries moves " << n_unknown
        << " of the eigenvalues is not known: no left vectors were found\n";
  const std::vector<std::size_t> uncertain = comparison.uncertain();
  if (uncertain.empty()) return;
  out << "rounding of the matrices' entries alone may change these eigenvalues by more than "
         "difference_tolerance, relative to their moduli:";
  for (std::size_t i = 0; i < std::min(uncertain.size(), n_shown); ++i) {
    const Complex value = comparison.after.finite[uncertain[i]];
    out << (i == 0 ? " " : ", ") << text_of(value, value.imag() > 0) << " by up to "
        << text(comparison.residuals[uncertain[i]].uncertainty / std::abs(value));
  }
  if (uncertain.size() > n_shown) out << " and " << uncertain.size() - n_shown << " more";
  out << '\n';
}

const char* verdict(const SpectrumComparison& comparison) {
  if (!comparison.before.reliable || comparison.n_unchecked > 0) return "THAT THE SPECTRA AGREE IS NOT KNOWN";
  if (comparison.abandoned_shift && comparison.matching.passed)
    return "the spectra agree about ANOTHER SHIFT THAN THE ONE ASKED FOR";
  const auto& certificate = comparison.certificate;
  if (!comparison.passed && comparison.matching.passed && certificate && !certificate->is_complete())
    return certificate->counted.n ? "the spectra agree, but SOME EIGENVALUES ARE MISSING"
                                  : "the spectra agree, but THE LIST CANNOT BE COUNTED";
  if (comparison.completeness == Completeness::unknown && comparison.matching.passed)
    return "the spectra agree, but WHETHER THE LISTS ARE COMPLETE IS NOT KNOWN";
  if (comparison.is_cut_between_equally_far())
    return "THE LISTS CONTAIN DIFFERENT ONES OF EQUALLY FAR EIGENVALUES";
  if (!comparison.passed)
    return comparison.matching.passed ? "the spectra agree, but RESIDUALS OR BACKWARD ERRORS ARE TOO LARGE"
                                      : "THE SPECTRA DO NOT AGREE";
  return comparison.uncertain().empty()
             ? "the spectra agree"
             : "the spectra agree, but ROUNDING MAKES SOME LESS CERTAIN THAN THE LIMIT";
}

std::string text_of(const Rectangle& region) {
  return "the rectangle from " + text_of(region.lower_left, false) + " to " +
         text_of(region.upper_right, false) + " 1/s";
}

/// Prints which eigenvalues of a band or a rectangle the list contains, and whether their count is met.
void print_region(std::ostream& out, const SpectrumComparison& comparison) {
  const RegionCount& counted = *comparison.counted;
  const auto& band = comparison.band;
  if (band)
    out << "eigenvalues with frequencies from " << number_text(band->from) << " to " << number_text(band->to)
        << " Hz";
  else
    out << "eigenvalues in " << text_of(*comparison.region) << ", and their conjugates";
  out << ", by " << counted.n_searches << (counted.n_searches == 1 ? " search" : " searches") << ": ";
  if (!counted.count.n) {
    out << "not known to be complete, because they cannot be counted: " << counted.count.reason << '\n';
    return;
  }
  out << (!counted.is_complete()                             ? "NOT COMPLETE"
          : comparison.completeness == Completeness::counted ? "complete, counted"
                                                             : "complete in the counted part")
      << ", " << *counted.count.n;
  if (band)
    out << " from " << number_text(counted.counted.lower_left.imag() / (2 * pi)) << " to "
        << number_text(counted.counted.upper_right.imag() / (2 * pi)) << " Hz";
  else
    out << " in " << text_of(counted.counted);
  out << ", " << counted.n_found << " found there (" << counted.count.n_factorizations << " factorizations, "
      << to_text(counted.count.seconds, NumberStyle::general, 2) << " s)"
      << (band ? "; of each conjugate pair, one is counted\n" : "\n");
}

const char* in_words(Listed listed) {
  switch (listed) {
    case Listed::oscillating:
      return " that oscillate";
    case Listed::relaxing:
      return " that decay without vibration";
    case Listed::unstable:
      return " that grow";
    case Listed::all:
      break;
  }
  return "";
}

/// Prints which eigenvalues the list contains, and how its completeness was checked.
void print_completeness(std::ostream& out, const SpectrumComparison& comparison) {
  if (comparison.counted) return print_region(out, comparison);
  if (comparison.abandoned_shift)
    out << "those nearest to the shift " << text_of(*comparison.abandoned_shift, false)
        << " 1/s lie so close together that the search about it did not end; others are listed, about the "
           "middle of these\n";
  if (comparison.is_whole)
    out << "all eigenvalues";
  else
    out << "the " << comparison.after.finite.size()
        << (comparison.after.finite.size() == 1 ? " eigenvalue" : " eigenvalues")
        << in_words(comparison.listed) << " nearest to the shift "
        << text_of(comparison.requested_shift, false) << " 1/s"
        << (comparison.requested_shift.imag() != 0 ? ", among them conjugates, which may be farther from it"
                                                   : "");
  if (comparison.shift != comparison.requested_shift)
    out << ", found about the shift " << text_of(comparison.shift, false)
        << " 1/s, because the requested one is an eigenvalue, or too near to one";
  if (comparison.n_searched)
    out << "; no more of this kind are among the " << *comparison.n_searched
        << " nearest eigenvalues of any kind";
  const char* const as_searched =
      comparison.completeness == Completeness::unknown
          ? "not known to be complete, because a second search did not end, or zeros "
            "are less certain than other eigenvalues of the list"
          : "complete, as far as a second search sees";
  const auto& certificate = comparison.certificate;
  if (!certificate)
    out << ": " << (comparison.completeness == Completeness::counted ? "complete, counted" : as_searched);
  else if (!certificate->counted.n)
    out << ": " << as_searched << "; they cannot be counted: " << certificate->counted.reason;
  else
    out << ": " << (certificate->is_complete() ? "complete, counted" : "NOT COMPLETE") << " by "
        << (certificate->is_by_inertia ? "inertia" : "the argument principle") << ", "
        << *certificate->counted.n << " within " << to_text(certificate->radius, NumberStyle::general, 4)
        << " 1/s of the shift, " << certificate->n_listed << " found there ("
        << certificate->counted.n_factorizations << " factorizations, "
        << to_text(certificate->counted.seconds, NumberStyle::general, 2) << " s)";
  out << '\n';
}

/// Whether a count contradicts the list, or was asked for but failed, or the list belongs to another shift.
bool is_refuted(const SpectrumComparison& comparison, const ComparisonOptions& options) {
  if (comparison.abandoned_shift) return true;
  if (comparison.counted) return !comparison.counted->is_complete();
  if (!comparison.certificate) return false;
  return comparison.certificate->counted.n ? !comparison.certificate->is_complete()
                                           : options.counting == Counting::always;
}

}  // namespace

void conclude(SpectrumComparison& comparison, const ComparisonOptions& options) {
  comparison.max_residual = comparison.max_reduced_residual = comparison.max_backward_error = 0;
  comparison.n_unchecked = 0;
  judge(comparison.matching, options.matching);
  comparison.max_relative_difference = comparison.matching.max_relative_difference;
  comparison.difference_tolerance = options.matching.tolerance;
  comparison.residual_tolerance = options.residual_tolerance;
  bool residuals_passed = true;
  for (const EigenpairResidual& residual : comparison.residuals) {
    comparison.max_residual = std::max(comparison.max_residual, residual.assembled);
    comparison.max_reduced_residual = std::max(comparison.max_reduced_residual, residual.reduced);
    comparison.max_backward_error = std::max(comparison.max_backward_error, residual.backward);
    comparison.n_unchecked += residual.is_empty ? 1 : 0;
    residuals_passed = residuals_passed && residual.assembled <= options.residual_tolerance &&
                       residual.backward <= options.residual_tolerance;
  }
  comparison.passed = residuals_passed && comparison.n_unchecked == 0 && comparison.matching.passed &&
                      comparison.before.reliable && comparison.completeness != Completeness::unknown &&
                      !is_refuted(comparison, options);
}

bool SpectrumComparison::is_cut_between_equally_far() const {
  if (is_whole || matching.missing.empty() || matching.extra.empty()) return false;
  const auto distance = [&](Complex value) { return distance_of_pair(value, requested_shift); };
  double reach = 0;
  for (const Complex value : after.finite)
    reach = std::max(reach, distance(value));
  const auto is_at_rim = [&](Complex value) {
    return std::abs(distance(value) - reach) <= difference_tolerance * std::abs(value);
  };
  const auto agree = [&](const MatchedEigenvalues& pair) { return pair.agree(difference_tolerance); };
  return std::all_of(matching.missing.begin(), matching.missing.end(), is_at_rim) &&
         std::all_of(matching.extra.begin(), matching.extra.end(), is_at_rim) &&
         std::all_of(matching.pairs.begin(), matching.pairs.end(), agree);
}

double SpectrumComparison::fastest_that_differs() const {
  double fastest = 0;
  for (const std::vector<Complex>* list : {&matching.missing, &matching.extra})
    for (const Complex value : *list)
      fastest = std::max(fastest, std::abs(value));
  for (const MatchedEigenvalues& pair : matching.pairs)
    if (!pair.agree(difference_tolerance)) fastest = std::max(fastest, std::abs(pair.after));
  return fastest;
}

std::vector<std::size_t> SpectrumComparison::uncertain() const {
  std::vector<std::size_t> places;
  for (std::size_t j = 0; j < after.finite.size(); ++j)
    if (after.finite[j] != 0. && after.finite[j].imag() >= 0 &&
        residuals[j].uncertainty > difference_tolerance * std::abs(after.finite[j]))
      places.push_back(j);
  return places;
}

double SpectrumComparison::zero_radius() const {
  return internal::zero_radius(after.finite, residuals);
}

void SpectrumComparison::print(std::ostream& out, std::size_t n_rows) const {
  const TextTable table = table_of(*this, n_rows);
  if (n_rows > 0) out << table;
  const auto n_upper = std::count_if(
      matching.pairs.begin(), matching.pairs.end(),
      [](const MatchedEigenvalues& pair) { return !(pair.before.imag() < 0 && pair.after.imag() < 0); });
  if (n_rows > 0 && static_cast<std::size_t>(n_upper) > table.n_rows())
    out << "... and " << static_cast<std::size_t>(n_upper) - table.n_rows() << " rows more\n";
  print_unmatched(out, "only before:", matching.missing);
  print_unmatched(out, "only after:", matching.extra);

  if (is_whole)
    out << "before: " << before.finite.size() << " finite and " << before.n_infinite
        << " infinite eigenvalues; after: " << after.finite.size() << " finite\n";
  else
    out << "listed: " << before.finite.size() << " finite eigenvalues before and " << after.finite.size()
        << " after; before, " << before.n_infinite << " are infinite\n";
  if (before.n_rounded > 0)
    out << before.n_rounded << " of the infinite ones " << (before.n_rounded == 1 ? "is" : "are")
        << " finite with the entries as they stand, which have so many digits that rounding may have made "
        << (before.n_rounded == 1 ? "it so\n" : "them so\n");
  print_completeness(out, *this);
  if (!before.reliable) out << "before is not reliable: " << before.reason << '\n';
  if (n_unchecked > 0)
    out << "the residuals of " << n_unchecked
        << " eigenvalues are not meaningful: terms of P x, or the squares of their rounding errors, overflow "
           "or underflow; use other units of mass, time or force\n";
  print_uncertain(out, *this);
  out << "largest residual of A y = lambda y, with the rounding that A magnifies: "
      << text(max_reduced_residual) << '\n'
      << "largest relative difference " << text(max_relative_difference) << " (limit "
      << text(difference_tolerance) << "), residual of P x = 0 " << text(max_residual)
      << " and backward error " << text(max_backward_error) << " (limit " << text(residual_tolerance)
      << "): " << verdict(*this) << '\n';
}

}  // namespace halfdof
