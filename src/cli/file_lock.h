#pragma once

#include <filesystem>

namespace halfdof::cli {

/**
 * While it lives, no other run has a lock of the same file or folder, whatever name it uses for it. The lock
 * ends with the process, however that ends. Pipes and devices are not locked, nor are files where the file
 * system knows no locks.
 */
class FileLock {
 public:
  enum class Kind { file, folder };

  /// Creates a file or folder that is missing, and removes it in the end if it is still empty. A folder that
  /// is there is locked as a folder, whatever the kind.
  /// @throws FileError if another run has it, or it cannot be created
  explicit FileLock(const std::filesystem::path& path, Kind kind = Kind::file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  /// Opens and locks whatever has the name now. @return whether it still has it
  bool take();

  std::filesystem::path path_;
  Kind kind_;
  bool has_created_ = false;
  int descriptor_ = -1;
};

}  // namespace halfdof::cli
