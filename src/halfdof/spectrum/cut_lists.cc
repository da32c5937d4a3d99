#include <halfdof/spectrum/cut_lists.h>
#include <halfdof/spectrum/matched_lists.h>
#include <halfdof/spectrum/matching.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

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
    if (pair.place_after == places.size()) {  // one across the rim whose partner is nearer, and another
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

std::vector<bool> oscillating(const SpectrumComparison& comparison) {
  const std::vector<double> uncertainties = uncertainties_of(comparison.residuals);
  std::vector<bool> found;
  for (std::size_t j = 0; j < comparison.after.finite.size(); ++j)
    found.push_back(std::abs(comparison.after.decisive()[j].imag()) > uncertainties[j]);
  return found;
}

void leave_out_relaxations(SpectrumComparison& comparison, double tolerance) {
  const SpectrumComparison all = comparison;
  const std::vector<bool> oscillates = oscillating(all);
  comparison.is_whole = false;
  comparison.listed = Listed::oscillating;
  comparison.after = {};
  comparison.residuals.clear();
  comparison.before.finite.clear();
  comparison.matching.pairs.clear();
  const auto is_real = [](Complex value) { return value.imag() == 0; };
  auto& missing = comparison.matching.missing;
  for (std::vector<Complex>* list : {&missing, &comparison.matching.extra})
    list->erase(std::remove_if(list->begin(), list->end(), is_real), list->end());
  std::vector<std::size_t> place_after(oscillates.size());
  for (std::size_t j = 0; j < oscillates.size(); ++j) {
    if (!oscillates[j]) continue;
    place_after[j] = comparison.after.finite.size();
    comparison.after.finite.push_back(all.after.finite[j]);
    if (!all.after.exact.empty()) comparison.after.exact.push_back(all.after.exact[j]);
    comparison.residuals.push_back(all.residuals[j]);
  }
  for (MatchedEigenvalues pair : all.matching.pairs) {
    if (!oscillates[pair.place_after]) {  // before, it may oscillate
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

void order_by_frequency(SpectrumComparison& comparison) {
  const auto rank = [](const MatchedEigenvalues& pair) {
    return std::make_pair(std::abs(pair.after.imag()), std::abs(pair.after));
  };
  std::stable_sort(
      comparison.matching.pairs.begin(), comparison.matching.pairs.end(),
      [&](const MatchedEigenvalues& a, const MatchedEigenvalues& b) { return rank(a) < rank(b); });
}

}  // namespace halfdof
