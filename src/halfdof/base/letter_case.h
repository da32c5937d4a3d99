// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace halfdof::internal {

/// Returns a text with its ASCII letters in upper case.
inline std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

/// Returns a text with its ASCII letters in lower case.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace halfdof::internal
