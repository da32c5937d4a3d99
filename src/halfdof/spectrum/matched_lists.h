#pragma once

#include <halfdof/spectrum/compare_spectra.h>

#include <vector>

namespace halfdof {

/// How far rounding may have moved each eigenvalue after; zero where that is not known.
std::vector<double> uncertainties_of(const std::vector<EigenpairResidual>& residuals);

/// Lists as zero what rounding does not tell from zero: the partners of zeros, and pairs that agree only
/// within an uncertainty in which zero lies, too. @param largest_zero [1/s] No such pair is faster.
void list_zeros(SpectrumComparison& comparison, double tolerance, double largest_zero);

/// Pairs the lists, and list_zeros(). @param resolution [1/s] of the list before: what is slower is not told
/// from zero there
void match(SpectrumComparison& comparison, const ComparisonOptions& options, double resolution = 0);

}  // namespace halfdof
