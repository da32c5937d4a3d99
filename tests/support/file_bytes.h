// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

/// The bytes of a number in the opposite order of this machine's, or in its own.
template <class Number>
std::string bytes_of(Number number, bool reversed = false) {
  std::string bytes(reinterpret_cast<const char*>(&number), sizeof number);
  return reversed ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

template <class Number>
std::string bytes_of_all(const std::vector<Number>& numbers, bool reversed = false) {
  std::string bytes;
  for (const Number number : numbers)
    bytes += bytes_of(number, reversed);
  return bytes;
}
