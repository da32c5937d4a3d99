// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <filesystem>

namespace halfdof::cli {

/**
 * A lock of a file or folder against other runs of the program, under whatever name they open it. The lock
 * ends with this object, and also with the process, however that ends. Pipes and devices are not locked, nor
 * are files on file systems without locks.
 */
class FileLock {
 public:
  enum class Kind { file, folder };

  /// Locks a file or folder. A missing one is created, and is removed by the destructor if it is still empty.
  /// An existing folder is locked as a folder for either kind. @throws FileError if another run has locked
  /// it, or it cannot be created
  explicit FileLock(const std::filesystem::path& path, Kind kind = Kind::file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  /// Opens and locks the file or folder of this name. Returns false if the name refers to another file by
  /// now, or to none; then it has to be called again. @throws FileError if another run has locked the file,
  /// or it cannot be opened
  bool open_and_lock();

  std::filesystem::path path_;
  Kind kind_;
  bool has_created_ = false;
  int descriptor_ = -1;
};

}  // namespace halfdof::cli
