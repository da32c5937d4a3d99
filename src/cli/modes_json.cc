// SPDX-License-Identifier: LGPL-2.1-or-later
#include "modes_json.h"

#include <halfdof/base/constants.h>

#include <algorithm>

namespace halfdof::cli {

using namespace internal;

namespace {

Json modes(const std::vector<Complex>& eigenvalues) {
  Json all = Json::array();
  for (const Complex value : eigenvalues) {
    if (value.imag() < 0) continue;
    const Mode mode = mode_of(value);
    all.push_back({{"eigenvalue", {value.real() + 0., value.imag() + 0.}},
                   {"kind", name_of(mode.kind)},
                   {"frequency_hz", mode.frequency},
                   {"natural_frequency_hz", mode.natural_frequency},
                   {"damping_ratio", mode.damping_ratio + 0.}});
  }
  return all;
}

/// Both spectra, with pairs at the same index, and eigenvalues without counterpart at the end.
struct MatchedOrder {
  std::vector<Complex> before, after;
  std::vector<EigenpairResidual> residuals;  ///< residuals of the eigenvalues `after`
};

MatchedOrder matched_order(const SpectrumComparison& comparison) {
  MatchedOrder order;
  const std::size_t n_before = comparison.before.finite.size(), n_after = comparison.after.finite.size();
  std::vector<std::size_t> partner(n_after, n_before);
  std::vector<bool> is_paired(n_before, false);
  for (const MatchedEigenvalues& pair : comparison.matching.pairs) {
    partner[pair.place_after] = pair.place_before;
    is_paired[pair.place_before] = true;
  }
  for (const bool paired : {true, false})
    for (std::size_t i = 0; i < n_after; ++i) {
      if ((partner[i] < n_before) != paired) continue;
      order.after.push_back(comparison.after.finite[i]);
      order.residuals.push_back(comparison.residuals[i]);
      if (paired) order.before.push_back(comparison.before.finite[partner[i]]);
    }
  for (std::size_t i = 0; i < n_before; ++i)
    if (!is_paired[i]) order.before.push_back(comparison.before.finite[i]);
  return order;
}

Json to_json(const Certificate& certificate) {
  return {{"counted", certificate.counted.n ? Json(*certificate.counted.n) : Json()},
          {"listed", certificate.n_listed},
          {"radius", certificate.radius},
          {"method", certificate.is_by_inertia ? "inertia" : "argument principle"},
          {"deviation", certificate.counted.deviation},
          {"n_factorizations", certificate.counted.n_factorizations},
          {"reason", certificate.counted.reason}};
}

Json to_json(const RegionCount& counted, bool is_band) {
  const Complex lower_left = counted.counted.lower_left, upper_right = counted.counted.upper_right;
  Json json = {{"expected", counted.count.n ? Json(*counted.count.n) : Json()},
               {"found", counted.n_found},
               {"lower_left", {lower_left.real(), lower_left.imag()}},
               {"upper_right", {upper_right.real(), upper_right.imag()}},
               {"n_factorizations", counted.count.n_factorizations},
               {"reason", counted.count.reason}};
  if (is_band) {
    json["from_hz"] = lower_left.imag() / (2 * pi);
    json["to_hz"] = upper_right.imag() / (2 * pi);
  }
  return json;
}

}  // namespace

Json to_json(const SpectrumComparison& comparison) {
  Json largest = Json::array(), assembled = Json::array(), reduced = Json::array(),
       uncertainties = Json::array();
  const MatchedOrder order = matched_order(comparison);
  for (const EigenpairResidual& residual : order.residuals) {
    largest.push_back(std::max(residual.assembled, residual.reduced));
    assembled.push_back(residual.assembled);
    reduced.push_back(residual.reduced);
    uncertainties.push_back(residual.error());
  }
  Json json = {{"agreed", comparison.passed},
               {"complete", comparison.completeness == Completeness::counted    ? "counted"
                            : comparison.completeness == Completeness::searched ? "searched twice"
                                                                                : "unknown"},
               {"shift", {comparison.requested_shift.real(), comparison.requested_shift.imag()}},
               {"shift_used", {comparison.shift.real(), comparison.shift.imag()}},
               {"n_unchecked", comparison.n_unchecked},
               {"before",
                {{"finite", pairs(order.before)},
                 {"n_infinite", comparison.before.n_infinite},
                 {"n_rounded", comparison.before.n_rounded},
                 {"exact", comparison.before.is_exact},
                 {"reliable", comparison.before.reliable},
                 {"reason", comparison.before.reason}}},
               {"after", {{"finite", pairs(order.after)}}},
               {"max_relative_difference", comparison.max_relative_difference},
               {"missing", pairs(comparison.matching.missing)},
               {"extra", pairs(comparison.matching.extra)},
               {"max_residual", std::max(comparison.max_residual, comparison.max_reduced_residual)},
               {"max_backward_error", comparison.max_backward_error},
               {"residual_tolerance", comparison.residual_tolerance},
               {"residuals", largest},
               {"residuals_assembled", assembled},
               {"residuals_reduced", reduced},
               {"uncertainties", uncertainties},
               {"n_uncertain", comparison.uncertain().size()},
               {"modes", modes(order.after)}};
  if (comparison.certificate) json["certificate"] = to_json(*comparison.certificate);
  if (comparison.counted) json["counted"] = to_json(*comparison.counted, comparison.band.has_value());
  if (comparison.abandoned_shift)
    json["shift_abandoned"] = {comparison.abandoned_shift->real(), comparison.abandoned_shift->imag()};
  return json;
}

Json to_json(const StructurallyDampedModes& modes) {
  Json all = Json::array();
  for (const StructurallyDampedMode& one : modes.modes) {
    const Complex value = one.mode.eigenvalue;
    all.push_back({{"eigenvalue", {value.real() + 0., value.imag() + 0.}},
                   {"kind", name_of(one.mode.kind)},
                   {"frequency_hz", one.mode.frequency},
                   {"natural_frequency_hz", one.mode.natural_frequency},
                   {"damping_ratio", one.mode.damping_ratio + 0.},
                   {"loss_factor", one.loss_factor},
                   {"difference", one.difference},
                   {"uncertainty", one.uncertainty},
                   {"residual", one.residual}});
  }
  return all;
}

std::vector<Complex> listed_after(const SpectrumComparison& comparison) {
  std::vector<Complex> all = matched_order(comparison).after;
  all.erase(std::remove_if(all.begin(), all.end(), [](Complex value) { return value.imag() < 0; }),
            all.end());
  return all;
}

Json to_json(const ModeTable& table) {
  Json modes = Json::array();
  for (std::size_t j = 0; j < table.modes.size(); ++j) {
    Json masses = Json::object();
    for (std::size_t d = 0; d < table.directions.size(); ++d)
      masses[table.directions[d]] = table.effective_mass(static_cast<Index>(j), static_cast<Index>(d));
    const Complex value = table.modes[j].eigenvalue;
    modes.push_back({{"eigenvalue", {value.real(), value.imag()}}, {"effective_mass", masses}});
  }
  Json totals = Json::object();
  for (std::size_t d = 0; d < table.directions.size(); ++d)
    totals[table.directions[d]] = table.total_mass[d];
  return {{"total_mass", totals}, {"modes", modes}};
}

}  // namespace halfdof::cli
