// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace halfdof::internal {

/// Properties of bytes of a text, independent of the locale.
inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// Whether a byte separates words of a line; the carriage return of a line end counts as one that does.
inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace halfdof::internal
