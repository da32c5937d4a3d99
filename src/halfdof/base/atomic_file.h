#pragma once

#include <halfdof/base/file_error.h>

#include <array>
#include <filesystem>
#include <string_view>

namespace halfdof {

/**
 * A file that appears under its name only when it is complete: it is written under a temporary name in the
 * same folder, and commit() renames it. An interrupted run leaves the old file, or none, but never half a
 * file. The new one has the permissions of the old one. What is no ordinary file (a pipe, /dev/stdout) is
 * written directly.
 */
class AtomicFile {
 public:
  /// @throws FileError if a file cannot be created there, or the one that is there is write-protected
  explicit AtomicFile(const std::filesystem::path& target);
  /// Removes the temporary file if commit() was not reached.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends `text`. @throws FileError, for instance on a full disk
  void write(std::string_view text);

  /// Appends a number with the fewest digits that read back as the same double.
  void write(double value);
  void write(GlobalIndex value);

  /// Where a library that wants a file name may write instead.
  const std::filesystem::path& temporary_path() const { return temporary_; }

  /// Gives the file its name. Nothing can be written afterwards.
  void commit();
  /// The same, and returns when the file and its name are on the disk: whatever fails afterwards, the power
  /// included, one finds this file. Takes some milliseconds.
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

}  // namespace halfdof
