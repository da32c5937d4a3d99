// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace halfdof::internal {

/// The first two bytes of every gzip file. No text file begins with these bytes.
constexpr std::string_view gzip_mark = "\x1f\x8b";

/// Decompresses a gzip file (RFC 1952), which may consist of several members, from front to back.
class GzipReader {
 public:
  /// @param first The bytes of the file that have been read already
  /// @param read Called as read(begin, size): reads at most `size` further bytes of the file to `begin` and
  ///   returns their number, 0 at the end of the file
  /// @param fail Called with the reason of a failure, in whole sentences; it must throw
  GzipReader(std::string first, std::function<std::size_t(char*, std::size_t)> read,
             std::function<void(const std::string&)> fail);
  ~GzipReader();

  /// Writes the next decompressed bytes, at most `size`, to `begin` and returns their number, 0 at the end.
  /// Calls `fail` if the file is cut off or corrupt.
  std::size_t read(char* begin, std::size_t size);

 private:
  struct Stream;
  bool refill();
  bool begin_next_member();

  std::string compressed_;
  std::function<std::size_t(char*, std::size_t)> read_;
  std::function<void(const std::string&)> fail_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace halfdof::internal
