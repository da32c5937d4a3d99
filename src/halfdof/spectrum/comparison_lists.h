// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>

#include <functional>
#include <vector>

/**
 * @file
 * Functions that pair both lists of a comparison, and restrict them to the eigenvalues that were asked for. A
 * disagreement is never dropped silently: if a pair is removed although its two eigenvalues differ by more
 * than the tolerance, the eigenvalue before is listed as missing.
 */
namespace halfdof::internal {

/// Returns how far rounding may have moved each eigenvalue of the list after; zero if it is not known.
std::vector<double> uncertainties_of(const std::vector<EigenpairResidual>& residuals);

/// Sets eigenvalues to zero that cannot be distinguished from zero because of rounding: the partners of zeros
/// in the other list, and pairs that agree only within an uncertainty that is as large as their modulus.
/// @param largest_zero [1/s] No pair of the latter kind has a larger modulus.
void list_zeros(SpectrumComparison& comparison, double tolerance, double largest_zero);

/// Pairs the lists and calls list_zeros(). @param resolution [1/s] modulus up to which eigenvalues of the
/// list before cannot be distinguished from zero
void match(SpectrumComparison& comparison, const ComparisonOptions& options, double resolution = 0);

/// Restricts both lists to the k eigenvalues nearest to the requested shift. Eigenvalues farther away that
/// only one list contains are dropped.
void keep_nearest(SpectrumComparison& comparison, Index k, double tolerance);

/// Returns how many of the eigenvalues after the elimination are of a kind.
Index n_listed(const SpectrumComparison& comparison, Listed listed);

/// Restricts both lists to some of the eigenvalues after. @param kept One entry for each of after.finite
/// @param is_kept Whether an eigenvalue that only one list contains stays in it
void keep_only(SpectrumComparison& comparison, const std::vector<bool>& kept,
               const std::function<bool(Complex)>& is_kept, double tolerance);

/// Restricts all lists to the eigenvalues of a kind.
void keep_listed(SpectrumComparison& comparison, Listed listed, double tolerance);

/// Sorts the eigenvalues after and the pairs by ascending modulus; or by ascending frequency, and those of
/// equal frequency by ascending modulus.
void order_by(SpectrumComparison& comparison, PairOrder order);

}  // namespace halfdof::internal
