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

/// Returns `width` characters of `line` from position `begin`, or fewer if the line ends before.
inline std::string_view field(std::string_view line, std::size_t begin, std::size_t width) {
  return begin < line.size() ? line.substr(begin, width) : std::string_view();
}

/// Reads a whole number of at most 18 digits. The result has no value for any other text, blanks included.
std::optional<GlobalIndex> whole_number(std::string_view field);

/// Reads a number such as 1.5, 1.5E+3, 1.5D+3, 1.5+3 or 7.27-4, rounded to the nearest double. The result has
/// no value for other texts, blanks, "nan", "inf" and numbers beyond the range of double.
std::optional<double> real_number(std::string_view field);

/// An edit descriptor of Fortran with its repeat count, such as 13I6 or 1P,4E20.12.
struct FortranFormat {
  std::size_t n_per_line = 0, width = 0;
  int n_decimals = 0, scale = 0;  ///< 12 and 1 for 1P,4E20.12
  char letter = 0;                ///< I, E, D, F or G
};

/// Reads a format with one edit descriptor, such as (13I6), (1P,4E20.12), (1P4D20.12) or (4(1PE20.12)).
/// @param letters The letters that are accepted @return The descriptor; no value for other formats
std::optional<FortranFormat> fortran_format(std::string_view text, std::string_view letters);

/// Reads a field as Fortran does (ISO/IEC 1539-1, Numeric editing): without a decimal point, the last
/// n_decimals digits are the fraction, and without an exponent, the scale divides the number by 10^scale.
std::optional<double> value_of_field(std::string_view field, const FortranFormat& format);

}  // namespace halfdof::internal
