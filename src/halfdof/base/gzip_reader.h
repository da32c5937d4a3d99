#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace halfdof {

/// The first two bytes of every gzip file, which no text begins with.
constexpr std::string_view gzip_mark = "\x1f\x8b";

/// Decompresses a gzip file (RFC 1952), which may consist of several members, from front to back.
class GzipReader {
 public:
  /// @param first What was read of the file already @param read Puts at most so many further bytes there, and
  /// returns their number, 0 at the end of the file @param fail Throws, with a reason: sentences
  GzipReader(std::string first, std::function<std::size_t(char*, std::size_t)> read,
             std::function<void(const std::string&)> fail);
  ~GzipReader();

  /// The next decompressed bytes, at most `size`; 0 at the end. Fails where the file is cut off or corrupt.
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

}  // namespace halfdof
