// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/base/characters.h>
#include <halfdof/base/letter_case.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace halfdof::internal {

namespace {

bool is_one_of(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

/// Reads a number in a notation that std::from_chars() does not accept: with a leading plus, with the
/// exponent letter D, or with an exponent without a letter.
std::optional<double> rewritten_number(std::string_view text) {
  std::array<char, 128> number;
  std::size_t n = 0;
  bool has_exponent = false;
  if (text.size() + 2 > number.size()) return {};
  for (std::size_t k = text[0] == '+'; k < text.size(); ++k) {
    const char c = text[k];
    const bool is_letter = is_one_of(c, "eEdD"), is_sign = is_one_of(c, "+-");
    const bool begins_exponent = is_letter || (is_sign && n > 0 && number[n - 1] != 'e');
    if ((begins_exponent && has_exponent) || (is_sign && k > 0 && is_one_of(text[k - 1], "+-"))) return {};
    if (begins_exponent) number[n++] = 'e';
    has_exponent = has_exponent || begins_exponent;
    if (!is_letter && c != '+') number[n++] = c;
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + n, value);
  if (error != std::errc() || stop != number.data() + n) return {};
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

std::optional<GlobalIndex> whole_number(std::string_view field) {
  std::string_view text = trimmed(field);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const std::size_t n_digits = text.size() - (!text.empty() && text[0] == '-');
  GlobalIndex value = 0;
  const char* const end = text.data() + text.size();
  if (n_digits == 0 || n_digits > 18) return {};
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return {};
  return value;
}

std::optional<double> real_number(std::string_view field) {
  const std::string_view text = trimmed(field);
  if (text.empty()) return {};
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) return {};
  std::optional<double> result = value;
  if (error != std::errc() || stop != end) result = rewritten_number(text);
  if (result && !std::isfinite(*result)) return {};
  return result;
}

std::optional<FortranFormat> fortran_format(std::string_view text, std::string_view letters) {
  std::string format;
  for (const char c : upper_case(text))
    if (!is_blank(c)) format += c;
  std::size_t at = 0, depth = 0;
  const auto accept = [&](char c) { return at < format.size() && format[at] == c && (++at, true); };
  const auto whole = [&](int otherwise) {
    const std::size_t end = std::min(format.find_first_not_of("0123456789", at), format.size());
    const std::optional<GlobalIndex> number = whole_number(std::string_view(format).substr(at, end - at));
    at = end;
    return number && *number <= 1000 ? static_cast<int>(*number) : otherwise;
  };
  FortranFormat result;
  int n = 1;
  while (at < format.size() && letters.find(format[at]) == std::string_view::npos) {
    const std::size_t begin = at;
    if (accept('(')) {
      ++depth;
      continue;
    }
    const int sign = accept('-') ? -1 : 1, number = whole(0);
    if (at == begin) return {};
    if (accept('P')) {
      result.scale = sign * number;
      accept(',');
    } else if (sign < 0 || number == 0 || n > 1) {
      return {};
    } else {
      n = number;
    }
  }
  if (at == format.size()) return {};
  result.letter = format[at++];
  const int width = whole(0);
  if (accept('.')) result.n_decimals = whole(-1);
  if (result.letter != 'I' && accept('E')) whole(0);
  for (; depth > 0; --depth)
    if (!accept(')')) return {};
  if (at != format.size() || width < 1 || width > 100 || result.n_decimals < 0) return {};
  result.n_per_line = static_cast<std::size_t>(n);
  result.width = static_cast<std::size_t>(width);
  return result;
}

std::optional<double> value_of_field(std::string_view field, const FortranFormat& format) {
  const std::string_view text = trimmed(field);
  if (text.empty()) return {};
  const std::size_t begin = std::min(text.find_first_of("eEdD+-", 1), text.size());
  const bool has_exponent = begin < text.size(), has_point = text.find('.') < begin;
  int exponent = (has_point ? 0 : -format.n_decimals) - (has_exponent ? 0 : format.scale);
  if (exponent == 0) return real_number(text);
  if (has_exponent) {
    const std::size_t digits = begin + (is_one_of(text[begin], "eEdD") ? 1 : 0);
    const std::optional<GlobalIndex> written = whole_number(text.substr(digits));
    if (!written || std::abs(*written) > 100000) return {};
    exponent += static_cast<int>(*written);
  }
  return real_number(std::string(text.substr(0, begin)) + "e" + std::to_string(exponent));
}

}  // namespace halfdof::internal
