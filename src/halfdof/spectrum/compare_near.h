// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>

namespace halfdof::internal {

/// Compares the k eigenvalues nearest to options.shift as compare_spectra() does, but never about another
/// shift. @throws StalledSearch if a search about the shift does not converge; otherwise as compare_spectra()
template <class Engine>
SpectrumComparison compare_near(const ReducedSystem<Engine>& reduced, Index k,
                                const ComparisonOptions& options);

}  // namespace halfdof::internal
