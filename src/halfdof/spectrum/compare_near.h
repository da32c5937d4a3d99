// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>

namespace halfdof::internal {

/// Number of eigenvalues by which both lists of compare_spectra() are longer than asked for, so that both
/// contain the eigenvalues that are as far as the last one.
constexpr Index n_beyond_list = 4;

/// Compares the k eigenvalues nearest to options.shift as compare_spectra() does, but never about another
/// shift. @param n_beyond Number of farther eigenvalues that are searched, too
/// @throws StalledSearch if a search about the shift does not converge; otherwise as compare_spectra()
template <class Engine>
SpectrumComparison compare_near(const ReducedSystem<Engine>& reduced, Index k,
                                const ComparisonOptions& options, Index n_beyond = n_beyond_list);

}  // namespace halfdof::internal
