// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>

#include <string>

/**
 * @file
 * Complex numbers, bands of frequencies and rectangles of the complex plane as options write them.
 */
namespace halfdof::cli {

/// Reads a, bi or a+bi; a sign of an exponent does not separate the parts. @param what Names the number in
/// messages @throws InvalidInput
Complex complex_from(const std::string& text, const std::string& what);

/// Reads FROM:TO in Hz. @throws InvalidInput
FrequencyBand band_from(const std::string& text);

/// Reads two corners, CORNER:CORNER, in 1/s. @throws InvalidInput
Rectangle region_from(const std::string& text);

}  // namespace halfdof::cli
