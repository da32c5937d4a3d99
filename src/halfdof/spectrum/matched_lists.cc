#include <halfdof/spectrum/matched_lists.h>
#include <halfdof/spectrum/matching.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace halfdof {

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

}  // namespace halfdof
