// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/byte_reader.h>
#include <halfdof/base/input_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace halfdof::internal {

namespace {

/// A file descriptor that the destructor closes.
struct Descriptor {
  explicit Descriptor(const std::filesystem::path& file) : number(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number;
};

[[noreturn]] void fail_to_read(const std::filesystem::path& file) {
  throw FileError(file, "the file cannot be read: " + std::generic_category().message(errno) + ".");
}

}  // namespace

ByteBlock read_bytes(const std::filesystem::path& file) {
  const std::string reason = why_unreadable(file);
  if (!reason.empty()) throw FileError(file, "the file cannot be read: " + reason + ".");
  const Descriptor descriptor(file);
  if (descriptor.number < 0) fail_to_read(file);
  const std::uint64_t size = std::filesystem::file_size(file);
  ByteBlock bytes(size);
  for (std::uint64_t n_read = 0; n_read < size;) {
    const auto n_wanted = std::min<std::uint64_t>(size - n_read, std::uint64_t(1) << 30);
    const ssize_t n = read(descriptor.number, bytes.data.get() + n_read, static_cast<std::size_t>(n_wanted));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_to_read(file);
    if (n == 0) throw FileError(file, "the file became shorter while it was read.");
    n_read += static_cast<std::uint64_t>(n);
  }
  return bytes;
}

void ByteReader::fail(const std::string& reason) const {
  throw FileError(file_, "byte " + std::to_string(position_) +
                             (part_.empty() ? std::string() : " of " + part_) + ": " + reason);
}

void ByteReader::fail_at_end(std::uint64_t count, std::uint64_t item_size, const char* quantity) const {
  std::string needed = std::to_string(item_size) + " bytes";
  if (count != 1) needed = std::to_string(count) + " times " + needed;
  fail(std::string(quantity) + " should follow here, " + needed + ", but only " + std::to_string(n_left()) +
       " bytes are left. The file is probably cut off: copy or write the file again.");
}

}  // namespace halfdof::internal
