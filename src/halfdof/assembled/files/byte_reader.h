// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace halfdof::internal {

enum class ByteOrder { little, big };

/// The byte order of this machine.
constexpr ByteOrder machine_order =
    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ByteOrder::big : ByteOrder::little;

/// A block of bytes that are not initialized.
struct ByteBlock {
  ByteBlock() = default;
  explicit ByteBlock(std::uint64_t n) : data(new char[n]), size(n) {}
  std::unique_ptr<char[]> data;
  std::uint64_t size = 0;
};

/// Reads a whole file. @throws FileError if the file is missing, not a regular file, or not readable
ByteBlock read_bytes(const std::filesystem::path& file);

/// Returns the number whose bytes begin at `p` in the given byte order.
template <class Number>
Number number_at(const char* p, ByteOrder order) {
  Number number;
  std::memcpy(&number, p, sizeof number);
  if (order == machine_order) return number;
  if constexpr (sizeof(Number) == 2 || sizeof(Number) == 4 || sizeof(Number) == 8) {
    std::conditional_t<sizeof(Number) == 8, std::uint64_t,
                       std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint16_t>>
        bits;
    std::memcpy(&bits, p, sizeof bits);
    if constexpr (sizeof(Number) == 8)
      bits = __builtin_bswap64(bits);
    else if constexpr (sizeof(Number) == 4)
      bits = __builtin_bswap32(bits);
    else
      bits = __builtin_bswap16(bits);
    std::memcpy(&number, &bits, sizeof bits);
  } else {
    static_assert(sizeof(Number) == 1, "a number of 1, 2, 4 or 8 bytes");
  }
  return number;
}

/**
 * Reads numbers and blocks of bytes from a file in memory, one after the other. No function reads beyond the
 * end: a size that the file states is compared with the number of bytes that are left before the size is
 * used.
 */
class ByteReader {
 public:
  /// @param bytes Bytes of the file, which must outlive this object
  /// @param part The name of the part of the file that these bytes are, for instance "data.npy"; empty for
  ///     the whole file
  ByteReader(std::filesystem::path file, std::string_view bytes, ByteOrder order, std::string part = "")
      : file_(std::move(file)), part_(std::move(part)), bytes_(bytes), order_(order) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::uint64_t position() const { return position_; }
  std::uint64_t n_left() const { return bytes_.size() - position_; }
  bool at_end() const { return position_ == bytes_.size(); }
  ByteOrder order() const { return order_; }
  const std::filesystem::path& file() const { return file_; }

  /// Sets the position of the next byte to be read, which must not lie behind the end.
  void go_to(std::uint64_t position) {
    if (position > bytes_.size()) fail("the file ends before byte " + std::to_string(position) + ".");
    position_ = position;
  }

  /// Returns a pointer to the next `count` items of `item_size` bytes, and moves the position behind these
  /// items.
  /// @param quantity Name of the items, for the error message if the file ends before the last item
  const char* take(std::uint64_t count, std::uint64_t item_size, const char* quantity) {
    if (count > n_left() / item_size) fail_at_end(count, item_size, quantity);
    const char* const begin = bytes_.data() + position_;
    position_ += count * item_size;
    return begin;
  }

  template <class Number>
  Number number(const char* quantity) {
    return number_at<Number>(take(1, sizeof(Number), quantity), order_);
  }

  /// Throws a FileError with the position and the given reason.
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  [[noreturn]] void fail_at_end(std::uint64_t count, std::uint64_t item_size, const char* quantity) const;

  std::filesystem::path file_;
  std::string part_;
  std::string_view bytes_;
  ByteOrder order_;
  std::uint64_t position_ = 0;
};

}  // namespace halfdof::internal
