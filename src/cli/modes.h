// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>

#include "model.h"

namespace halfdof::cli {

/// Compares all eigenvalues of a model of up to 400 free DoFs, and of a larger one those nearest to the shift
/// of the options: what `modes` does without further options.
SpectrumComparison compare_all_or_nearest(const ReducedSystem<Engine>& reduced, Index count,
                                          const ComparisonOptions& options = {});

}  // namespace halfdof::cli
