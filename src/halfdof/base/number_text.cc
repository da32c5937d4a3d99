// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/number_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

namespace halfdof::internal {

std::string number_text(double number) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // by default, streams hide a failed allocation and omit the text
  text.precision(10);
  text << number + 0.;  // adding zero turns -0 into 0
  return text.str();
}

std::string scientific_text(double number, int n_digits, char exponent_mark) {
  std::array<char, 64> buffer;
  char* const end =
      std::to_chars(buffer.begin(), buffer.end(), number, std::chars_format::scientific, n_digits - 1).ptr;
  std::replace(buffer.begin(), end, 'e', exponent_mark);
  return std::string(buffer.begin(), end);
}

std::string number_text(std::complex<double> number) {
  return number_text(number.real()) + (number.imag() < 0 ? " - " : " + ") +
         number_text(std::abs(number.imag())) + "i";
}

}  // namespace halfdof::internal
