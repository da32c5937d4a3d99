// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <optional>
#include <string_view>

/**
 * @file
 * Numbers in fields of fixed width, as Fortran writes them.
 */
namespace halfdof::internal {

/// Returns `text` without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// Returns `width` characters of `line` from `begin`, fewer at its end.
inline std::string_view field(std::string_view line, std::size_t begin, std::size_t width) {
  return begin < line.size() ? line.substr(begin, width) : std::string_view();
}

/// Reads a whole number of at most 18 digits; no value for other texts, also for blanks.
std::optional<GlobalIndex> whole_number(std::string_view field);

/// Reads a number such as 1.5, 1.5E+3, 1.5D+3, 1.5+3 or 7.27-4, rounded to the nearest double. No value for
/// other texts, blanks, "nan", "inf" and numbers beyond the range of double.
std::optional<double> real_number(std::string_view field);

}  // namespace halfdof::internal
