#pragma once

#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/small_spectrum.h>

namespace halfdof {

/**
 * Both whole spectra and how they match, not yet judged (conclude()). Of small systems those before are
 * exact; of others all come from QZ before and QR after.
 * @param most What may be spent where these leave fewer digits than the options ask for. Collective.
 */
template <class Engine>
SpectrumComparison whole_spectra(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options,
                                 Effort most);

/// Where the exact degree of det P is known and not the number of states, nothing is compared; of rounded
/// entries it may be larger. Collective.
template <class Engine>
void hold_against_exact_count(SpectrumComparison& comparison, const ReducedSystem<Engine>& reduced);

}  // namespace halfdof
