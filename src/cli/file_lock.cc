// SPDX-License-Identifier: LGPL-2.1-or-later
#include "file_lock.h"

#include <halfdof/base/errors.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace halfdof::cli {

FileLock::FileLock(const std::filesystem::path& path, Kind kind) : path_(path), kind_(kind) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool can_be_locked = !std::filesystem::exists(status) || std::filesystem::is_directory(status) ||
                             std::filesystem::is_regular_file(status);
  // Another run may have removed the file between open() and flock(); then it is opened again.
  while (can_be_locked && !open_and_lock())
    close(descriptor_);
}

bool FileLock::open_and_lock() {
  std::error_code ignored;
  if (kind_ == Kind::folder) has_created_ = mkdir(path_.c_str(), 0777) == 0 || has_created_;
  if (kind_ == Kind::folder || std::filesystem::is_directory(path_, ignored)) {
    descriptor_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  } else {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    has_created_ = descriptor_ >= 0;
    if (!has_created_) descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  }
  if (descriptor_ < 0) throw FileError(path_, "this cannot be written: " + system_message(errno));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(descriptor_);
    throw FileError(path_,
                    "another run is writing this. Let it end, or give this run another name to write.");
  }
  struct stat opened {
  }, named{};
  return fstat(descriptor_, &opened) == 0 && stat(path_.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  struct stat now {};
  if (has_created_ && kind_ == Kind::folder) rmdir(path_.c_str());  // rmdir keeps folders that contain files
  if (has_created_ && kind_ == Kind::file && fstat(descriptor_, &now) == 0 && now.st_size == 0)
    unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace halfdof::cli
