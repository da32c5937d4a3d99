// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/small_spectrum.h>

namespace halfdof::internal {

/**
 * Computes and matches both whole spectra; conclude() sets the verdict. For small systems the eigenvalues
 * before the elimination are exact; for others all eigenvalues come from QZ before and QR after the
 * elimination.
 * @param most Effort that may be spent on exact eigenvalues if QZ and QR leave fewer digits than the options
 * ask for. Collective.
 */
template <class Engine>
SpectrumComparison whole_spectra(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options,
                                 Effort most);

/// Marks `before` as unreliable if the exact degree of det P is known and differs from the number of states;
/// if entries are rounded, the degree may be larger. Collective.
template <class Engine>
void check_exact_count(SpectrumComparison& comparison, const ReducedSystem<Engine>& reduced);

}  // namespace halfdof::internal
