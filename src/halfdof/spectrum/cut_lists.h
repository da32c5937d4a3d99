#pragma once

#include <halfdof/spectrum/compare_spectra.h>

#include <vector>

/**
 * @file
 * Lists of a comparison, before and after, without what was not asked for. What disagrees is never left out
 * in silence: a pair that goes although its two eigenvalues differ by more than the tolerance leaves the one
 * before as missing.
 */
namespace halfdof {

/// Leaves of both lists the k nearest to the requested shift, and forgets what one of them lacks farther
/// away.
void keep_nearest(SpectrumComparison& comparison, Index k, double tolerance);

/// Whether each of the list after oscillates, as far as its uncertainty lets that be known.
std::vector<bool> oscillating(const SpectrumComparison& comparison);

/// Leaves relaxations and zeros out of all lists.
void leave_out_relaxations(SpectrumComparison& comparison, double tolerance);

/// Pairs by ascending frequency, of equal ones by ascending modulus.
void order_by_frequency(SpectrumComparison& comparison);

}  // namespace halfdof
