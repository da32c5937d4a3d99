// SPDX-License-Identifier: LGPL-2.1-or-later
#include "input_densities.h"

#include <halfdof/base/errors.h>
#include <halfdof/base/text_scanner.h>

#include "number_from.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::cli {

using namespace internal;

InputDensities densities_from(const std::filesystem::path& text) {
  if (text.empty()) return {};
  const std::string name = text.string();
  if (const std::optional<double> constant = number_from(name)) {
    if (!(*constant >= 0) || !std::isfinite(*constant))
      throw InvalidInput("--psd is " + name + ". A power spectral density is finite and not negative.");
    return {{PowerSpectralDensity({0.}, {*constant})}, true};
  }
  std::vector<double> frequencies;
  std::vector<std::vector<double>> values;
  TextScanner scanner(text, '#', ',');
  while (scanner.next_line()) {
    frequencies.push_back(scanner.real_number("a frequency"));
    std::size_t n = 0;
    for (; n == 0 || !scanner.at_line_end(); ++n) {
      scanner.expect_separator("a frequency or a density");
      if (frequencies.size() == 1) values.emplace_back();
      if (n == values.size())
        scanner.fail("this line has more densities than the first one. Give a density for each input.");
      values[n].push_back(scanner.real_number("a power spectral density"));
    }
    if (n < values.size())
      scanner.fail("this line has fewer densities than the first one. Give a density for each input.");
    scanner.end_line();
  }
  InputDensities densities;
  for (std::vector<double>& of_input : values)
    densities.all.emplace_back(frequencies, std::move(of_input));
  if (densities.all.empty()) throw FileError(text, "it holds no line `frequency, density`.");
  return densities;
}

std::vector<double> with_corners(std::vector<double> frequencies, const InputDensities& densities) {
  constexpr double steps_of_logarithm = 6, least_steps = 3, most_steps = 1e4;
  const double first = frequencies.front(), last = frequencies.back();
  const auto add = [&](double f) {
    if (f > first && f < last) frequencies.push_back(f);
  };
  for (const PowerSpectralDensity& density : densities.all) {
    const std::vector<double>& corners = density.frequencies();
    for (std::size_t k = 0; k < corners.size(); ++k) {
      add(corners[k]);
      if (k == 0 || !(corners[k - 1] > 0)) continue;
      // At least three steps, so that none of them has kinks of the density at both ends.
      const double change = std::abs(std::log(density(corners[k]) / density(corners[k - 1]))),
                   n = std::isfinite(change)
                           ? std::clamp(std::ceil(steps_of_logarithm * change), least_steps, most_steps)
                           : least_steps;
      for (double step = 1; step < n; ++step)
        add(corners[k - 1] * std::pow(corners[k] / corners[k - 1], step / n));
    }
  }
  std::sort(frequencies.begin(), frequencies.end());
  frequencies.erase(std::unique(frequencies.begin(), frequencies.end()), frequencies.end());
  return frequencies;
}

}  // namespace halfdof::cli
