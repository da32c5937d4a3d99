// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/byte_reader.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace halfdof::internal {

/// The name and the decompressed bytes of a file in a zip archive.
struct ZipMember {
  std::string name;
  ByteBlock bytes;
  std::string_view text() const { return {bytes.data.get(), bytes.size}; }
};

/**
 * Reads all files of a zip archive, stored or deflated. Archives of more than 4 GiB (ZIP64) are supported.
 * @throws FileError if the archive is cut off or corrupt (each file has a check sum), if it is encrypted, or
 *     if it is compressed by another method
 */
std::vector<ZipMember> read_zip(const std::filesystem::path& file);

/// A file to be written to a zip archive. Its content is the sequence of the bytes of all parts.
struct ZipSource {
  std::string name;
  std::vector<std::string_view> parts;
};

/// Writes a zip archive of stored (uncompressed) files, which appears under its name only when it is
/// complete.
void write_zip(const std::filesystem::path& file, const std::vector<ZipSource>& sources);

}  // namespace halfdof::internal
