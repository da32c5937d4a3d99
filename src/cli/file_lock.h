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
  /// Creates a file that is missing, and removes it in the end if it is still empty.
  /// @throws FileError if another run has it, or it cannot be created
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  /// Opens and locks whatever has the name now. @return whether it still has it
  bool take();

  std::filesystem::path path_;
  bool has_created_ = false;
  int descriptor_ = -1;
};

}  // namespace halfdof::cli
