// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/printable.h>

namespace halfdof::internal {

namespace {

unsigned char byte_at(const std::string& text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

bool is_ascii_control_character(unsigned char byte) {
  return byte < 0x20 || byte == 0x7f;
}

/// Returns whether a C1 control character (U+0080 to U+009F) begins at byte i of UTF-8 text. Some
/// terminals interpret these characters as the start of a command.
bool begins_c1_control_character(const std::string& text, std::size_t i) {
  return byte_at(text, i) == 0xc2 && byte_at(text, i + 1) >= 0x80 && byte_at(text, i + 1) < 0xa0;
}

void append_escaped(std::string& all, unsigned char byte) {
  constexpr const char* digits = "0123456789abcdef";
  all += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
}

}  // namespace

std::string printable(const std::string& text) {
  std::string all;
  all.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char byte = byte_at(text, i);
    if (begins_c1_control_character(text, i)) {
      append_escaped(all, byte);
      append_escaped(all, byte_at(text, ++i));
    } else if (is_ascii_control_character(byte) && byte != '\n' && byte != '\t') {
      append_escaped(all, byte);
    } else {
      all += text[i];
    }
  }
  return all;
}

}  // namespace halfdof::internal

namespace halfdof {

using namespace internal;

Error::Error(const std::string& message) : std::runtime_error(printable(message)) {}

}  // namespace halfdof

namespace halfdof::internal {

bool has_control_characters(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (is_ascii_control_character(byte_at(text, i)) || begins_c1_control_character(text, i)) return true;
  return false;
}

}  // namespace halfdof::internal
