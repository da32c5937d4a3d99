// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/plots/plot.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include <string>

namespace halfdof::cli {

/**
 * Returns a picture of the eigenvalues before (circles) and after the elimination (crosses) in the complex
 * plane [1/s]; of a conjugate pair, the value with the positive imaginary part. Real parts within 1e-10 of
 * the modulus are drawn as zero. An axis whose values differ by more than a factor of 1000 is symmetric
 * logarithmic, and its label says so.
 * Precondition: there is an eigenvalue.
 */
Plot spectrum_plot(const SpectrumComparison& comparison);

/// Returns the same picture of the modes of a system with structural damping, without the eigenvalues that
/// have no physical meaning. Precondition: there is a mode.
Plot spectrum_plot(const SpectrumComparison& of_embedding, const StructurallyDampedModes& modes);

}  // namespace halfdof::cli
