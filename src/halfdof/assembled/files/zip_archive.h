// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/byte_reader.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace halfdof::internal {

/// A file inside a zip archive, decompressed.
struct ZipMember {
  std::string name;
  ByteBlock bytes;
  std::string_view text() const { return {bytes.data.get(), bytes.size}; }
};

/**
 * Reads all files of a zip archive, stored or deflated, also of more than 4 GiB (ZIP64).
 * @throws FileError if the archive is cut off or corrupt (each file has a check sum), encrypted, or
 *     compressed otherwise
 */
std::vector<ZipMember> read_zip(const std::filesystem::path& file);

/// What is written as a file of a zip archive: the bytes of all parts, one after the other.
struct ZipSource {
  std::string name;
  std::vector<std::string_view> parts;
};

/// Writes a zip archive of stored (uncompressed) files, which appears under its name only when it is
/// complete.
void write_zip(const std::filesystem::path& file, const std::vector<ZipSource>& sources);

}  // namespace halfdof::internal
