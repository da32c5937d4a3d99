// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace halfdof::cli {

/// Returns the number that the whole text is, also nan or inf; no value if it is none.
inline std::optional<double> number_from(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size()) return std::nullopt;
  return value;
}

}  // namespace halfdof::cli
