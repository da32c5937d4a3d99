// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include "json_file.h"
#include <vector>

/**
 * @file
 * What the verb modes writes to its JSON file.
 */
namespace halfdof::cli {

/// Both spectra, pairs at the same index, with residuals, counts and the frequency and damping of each.
Json to_json(const SpectrumComparison& comparison);

/// The modes of a system with structural damping.
Json to_json(const StructurallyDampedModes& modes);

/// Returns the eigenvalues after the elimination in the order of the JSON, one of each conjugate pair.
std::vector<Complex> listed_after(const SpectrumComparison& comparison);

/// Effective modal masses of each direction.
Json to_json(const ModeTable& table);

}  // namespace halfdof::cli
