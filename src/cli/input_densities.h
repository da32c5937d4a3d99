// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/forced_vibration.h>

#include <cstddef>
#include <filesystem>
#include <vector>

namespace halfdof::cli {

/// Power spectral densities of inputs.
struct InputDensities {
  std::vector<PowerSpectralDensity> all;  ///< one for each input; empty: not given
  bool is_for_each = false;               ///< the only one of them is that of each input

  std::vector<PowerSpectralDensity> of(std::size_t n_inputs) const {
    return is_for_each ? std::vector<PowerSpectralDensity>(n_inputs, all.front()) : all;
  }
};

/// Reads a constant, or a table of lines `frequency, density of the first input, ...`. @param text Empty: not
/// given @throws FileError, InvalidInput
InputDensities densities_from(const std::filesystem::path& text);

/// Returns the frequencies with those at which densities are given between the first and the last, and with
/// two between each of these, or with more, so that the logarithm of a density changes by at most 1/6 between
/// neighbours.
std::vector<double> with_corners(std::vector<double> frequencies, const InputDensities& densities);

}  // namespace halfdof::cli
