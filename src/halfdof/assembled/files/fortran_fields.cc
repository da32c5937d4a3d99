// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/fortran_fields.h>

#include <array>
#include <charconv>
#include <cmath>

namespace halfdof::internal {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_one_of(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

/// Reads what from_chars() does not know: a leading plus, D exponents, exponents without a letter.
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

}  // namespace halfdof::internal
