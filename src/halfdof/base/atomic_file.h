// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>

#include <array>
#include <filesystem>
#include <string_view>

namespace halfdof::internal {

/**
 * A file that appears under its name only when it is complete: the text is written under a temporary
 * name in the same folder, and commit() renames the temporary file. An interrupted run leaves the old
 * file, or no file, but never half a file. The new file gets the permissions of the old one. A target
 * that is not a regular file (a pipe, /dev/stdout) is written directly.
 */
class AtomicFile {
 public:
  /// @throws FileError if the file cannot be created, or an existing file is write-protected
  explicit AtomicFile(const std::filesystem::path& target);
  /// Removes the temporary file if commit() was not reached.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends `text`. @throws FileError, for instance on a full disk
  void write(std::string_view text);

  /// Appends each line of `text` after `prefix`, for instance a comment.
  void write_lines(std::string_view prefix, std::string_view text);

  /// Appends a number with the fewest digits that read back as the same double.
  void write(double value);
  void write(GlobalIndex value);

  /// The temporary name, for libraries that write to a file by its name.
  const std::filesystem::path& temporary_path() const { return temporary_; }

  /// Renames the temporary file to its final name. Nothing can be written afterwards.
  void commit();
  /// Calls commit() and returns when the file and its name are on the disk, so that the file survives
  /// any later failure, also of the power supply. The call takes some milliseconds.
  void commit_to_disk();

 private:
  void flush();

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  bool committed_ = false;
  std::array<char, std::size_t(1) << 16> buffer_;
  std::size_t n_buffered_ = 0;
};

}  // namespace halfdof::internal
