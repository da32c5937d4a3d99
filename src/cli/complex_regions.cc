// SPDX-License-Identifier: LGPL-2.1-or-later
#include "complex_regions.h"

#include <halfdof/base/errors.h>

#include <cmath>
#include <cstdlib>
#include <regex>
#include <sstream>

namespace halfdof::cli {

Complex complex_from(const std::string& text, const std::string& what) {
  static const std::string number = R"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)";
  static const std::regex real('(' + number + ')'),
      complex("(?:(" + number + ")(?=[+-]))?(" + number + ")[ij]");
  const auto value = [](const std::string& part) {
    return part.empty() ? 0. : std::strtod(part.c_str(), nullptr);
  };
  std::smatch parts;
  Complex shift(NAN);
  if (std::regex_match(text, parts, real))
    shift = value(parts[1]);
  else if (std::regex_match(text, parts, complex))
    shift = {value(parts[1]), value(parts[2])};
  if (std::isfinite(std::abs(shift)) && !std::isfinite(std::norm(shift)))
    throw InvalidInput(what + " " + text + " has a square beyond the range of numbers. Take a smaller one.");
  if (!std::isfinite(std::abs(shift)))
    throw InvalidInput(
        what + " " + text +
        " cannot be read as a finite complex number. Write it like 0, -2.5, 20i or -1+20i, in 1/s.");
  return shift;
}

FrequencyBand band_from(const std::string& text) {
  FrequencyBand band;
  std::istringstream words(text);
  char colon = 0;
  if (words >> band.from >> colon >> band.to && colon == ':' && words.peek() == EOF && band.from >= 0 &&
      band.from < band.to)
    return band;
  throw InvalidInput("--band " + text +
                     " is no band of frequencies. Write FROM:TO in Hz with 0 <= FROM < TO, for example "
                     "20:4000.");
}

Rectangle region_from(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw InvalidInput("--region " + text +
                       " is no rectangle. Write its lower left and its upper right corner, for example "
                       "-5+10i:0+300i, in 1/s.");
  return {complex_from(text.substr(0, colon), "The first corner of --region,"),
          complex_from(text.substr(colon + 1), "The second corner of --region,")};
}

}  // namespace halfdof::cli
