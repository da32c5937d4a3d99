// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/comparison_lists.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace halfdof::internal {

std::vector<double> uncertainties_of(const std::vector<EigenpairResidual>& residuals) {
  std::vector<double> all;
  for (const EigenpairResidual& residual : residuals)
    all.push_back(
        std::max(std::isnan(residual.uncertainty) ? 0. : residual.uncertainty, residual.set_to_zero));
  return all;
}

void list_zeros(SpectrumComparison& comparison, double tolerance, double largest_zero) {
  for (MatchedEigenvalues& pair : comparison.matching.pairs) {
    const double modulus = std::max(std::abs(pair.before), std::abs(pair.after));
    const bool may_be_zero =
        pair.agree_within_rounding(tolerance) && modulus <= std::min(pair.uncertainty, largest_zero);
    if (!(pair.after == 0. || may_be_zero) || !pair.agree(tolerance)) continue;
    double& set_to_zero = comparison.residuals[pair.place_after].set_to_zero;
    if (may_be_zero) set_to_zero = std::max(set_to_zero, modulus);
    pair.before = comparison.before.finite[pair.place_before] = 0;
    pair.after = comparison.after.finite[pair.place_after] = 0;
  }
}

void match(SpectrumComparison& comparison, const ComparisonOptions& options, double resolution) {
  std::vector<double> uncertainties = uncertainties_of(comparison.residuals);
  for (std::size_t j = 0; j < uncertainties.size(); ++j)
    if (comparison.after.finite[j] == 0.) uncertainties[j] = std::max(uncertainties[j], resolution);
  comparison.matching =
      match_eigenvalues(comparison.before.finite, comparison.after.finite, uncertainties, options.matching);
  list_zeros(comparison, options.matching.tolerance, 0);
  judge(comparison.matching, options.matching);
}

void keep_nearest(SpectrumComparison& comparison, Index k, double tolerance) {
  const SpectrumComparison all = comparison;
  const Complex shift = comparison.requested_shift;
  const std::vector<std::size_t> places = nearest_places(all.after.decisive(), shift, k);
  comparison.is_whole = places.size() == all.after.finite.size() && all.is_whole;
  comparison.after = {};
  comparison.residuals.clear();
  comparison.before.finite.clear();
  comparison.matching.pairs.clear();
  const auto distance = [&](Complex value) { return distance_of_pair(value, shift); };
  double reach = 0;
  std::vector<std::size_t> place_after(all.after.finite.size(), places.size());
  for (std::size_t p = 0; p < places.size(); ++p) {
    place_after[places[p]] = p;
    reach = std::max(reach, distance(all.after.decisive()[places[p]]));
    comparison.after.finite.push_back(all.after.finite[places[p]]);
    if (!all.after.exact.empty()) comparison.after.exact.push_back(all.after.exact[places[p]]);
    comparison.residuals.push_back(all.residuals[places[p]]);
  }
  for (MatchedEigenvalues pair : all.matching.pairs) {
    pair.place_after = place_after[pair.place_after];
    if (pair.place_after == places.size()) {  // its eigenvalue after is not among the nearest
      if (!pair.agree(tolerance)) comparison.matching.missing.push_back(pair.before);
      continue;
    }
    pair.place_before = comparison.before.finite.size();
    comparison.before.finite.push_back(pair.before);
    comparison.matching.pairs.push_back(pair);
  }
  const bool holds_all = comparison.after.finite.size() == all.after.finite.size();
  const auto is_beyond = [&](Complex value) { return !holds_all && distance(value) > reach; };
  auto& missing = comparison.matching.missing;
  missing.erase(std::remove_if(missing.begin(), missing.end(), is_beyond), missing.end());
  comparison.before.finite.insert(comparison.before.finite.end(), missing.begin(), missing.end());
  auto& extra = comparison.matching.extra;
  extra.erase(std::remove_if(extra.begin(), extra.end(),
                             [&](Complex value) {
                               return std::find(comparison.after.finite.begin(),
                                                comparison.after.finite.end(),
                                                value) == comparison.after.finite.end();
                             }),
              extra.end());
}

namespace {

bool is_listed(Complex value, double uncertainty, Listed listed) {
  const bool oscillates = std::abs(value.imag()) > uncertainty;
  switch (listed) {
    case Listed::oscillating:
      return oscillates;
    case Listed::relaxing:
      return !oscillates && value.real() < -uncertainty;
    case Listed::unstable:
      return value.real() > uncertainty;
    case Listed::all:
      break;
  }
  return true;
}

}  // namespace

Index n_listed(const SpectrumComparison& comparison, Listed listed) {
  const std::vector<double> uncertainties = uncertainties_of(comparison.residuals);
  Index n = 0;
  for (std::size_t j = 0; j < uncertainties.size(); ++j)
    n += is_listed(comparison.after.decisive()[j], uncertainties[j], listed);
  return n;
}

void keep_only(SpectrumComparison& comparison, const std::vector<bool>& kept,
               const std::function<bool(Complex)>& is_kept, double tolerance) {
  const SpectrumComparison all = comparison;
  comparison.is_whole = false;
  comparison.after = {};
  comparison.residuals.clear();
  comparison.before.finite.clear();
  comparison.matching.pairs.clear();
  auto& missing = comparison.matching.missing;
  for (std::vector<Complex>* list : {&missing, &comparison.matching.extra})
    list->erase(std::remove_if(list->begin(), list->end(), [&](Complex value) { return !is_kept(value); }),
                list->end());
  std::vector<std::size_t> place_after(kept.size());
  for (std::size_t j = 0; j < kept.size(); ++j) {
    if (!kept[j]) continue;
    place_after[j] = comparison.after.finite.size();
    comparison.after.finite.push_back(all.after.finite[j]);
    if (!all.after.exact.empty()) comparison.after.exact.push_back(all.after.exact[j]);
    comparison.residuals.push_back(all.residuals[j]);
  }
  for (MatchedEigenvalues pair : all.matching.pairs) {
    if (!kept[pair.place_after]) {  // the eigenvalue before may be one of those that are kept
      if (!pair.agree(tolerance)) missing.push_back(pair.before);
      continue;
    }
    pair.place_after = place_after[pair.place_after];
    pair.place_before = comparison.before.finite.size();
    comparison.before.finite.push_back(pair.before);
    comparison.matching.pairs.push_back(pair);
  }
  comparison.before.finite.insert(comparison.before.finite.end(), missing.begin(), missing.end());
}

void keep_listed(SpectrumComparison& comparison, Listed listed, double tolerance) {
  const std::vector<double> uncertainties = uncertainties_of(comparison.residuals);
  std::vector<bool> kept;
  for (std::size_t j = 0; j < uncertainties.size(); ++j)
    kept.push_back(is_listed(comparison.after.decisive()[j], uncertainties[j], listed));
  keep_only(
      comparison, kept, [listed](Complex value) { return is_listed(value, 0, listed); }, tolerance);
  comparison.listed = listed;
}

void order_by(SpectrumComparison& comparison, PairOrder by) {
  const SpectrumComparison all = comparison;
  const auto key = [by](Complex value) {
    const double modulus = std::abs(value), frequency = std::abs(value.imag());
    return by == PairOrder::frequency ? std::make_pair(frequency, modulus)
                                      : std::make_pair(modulus, frequency);
  };
  const auto is_before = [key](Complex a, Complex b) { return key(a) < key(b); };
  std::vector<std::size_t> order(all.after.finite.size()), place_after(order.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return is_before(all.after.finite[a], all.after.finite[b]);
  });
  for (std::size_t j = 0; j < order.size(); ++j) {
    place_after[order[j]] = j;
    comparison.after.finite[j] = all.after.finite[order[j]];
    if (!all.after.exact.empty()) comparison.after.exact[j] = all.after.exact[order[j]];
    comparison.residuals[j] = all.residuals[order[j]];
  }
  auto& pairs = comparison.matching.pairs;
  for (MatchedEigenvalues& pair : pairs)
    pair.place_after = place_after[pair.place_after];
  std::stable_sort(pairs.begin(), pairs.end(), [&](const MatchedEigenvalues& a, const MatchedEigenvalues& b) {
    return is_before(a.after, b.after);
  });
}

}  // namespace halfdof::internal
