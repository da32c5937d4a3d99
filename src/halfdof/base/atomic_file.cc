// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/atomic_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace halfdof::internal {

namespace {

/// The write permissions of the owner, of the group and of all others.
constexpr std::filesystem::perms any_write = std::filesystem::perms::owner_write |
                                             std::filesystem::perms::group_write |
                                             std::filesystem::perms::others_write;

/// Returns the file that a symbolic link refers to. Renaming a file to the name of the link would
/// replace the link by a regular file.
std::filesystem::path link_target(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::canonical(path, ignored);
  return real.empty() ? path : real;
}

std::filesystem::path temporary_name(const std::filesystem::path& target, int attempt) {
  std::filesystem::path sibling = target;
  sibling += ".part-" + std::to_string(getpid()) + "-" + std::to_string(attempt);
  return sibling;
}

/// Writes a file to the disk. Returns whether fsync() succeeded, or is not available for this kind of
/// file.
bool is_synchronized(int descriptor) {
  return fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS;
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(target), temporary_(target) {
  std::error_code ignored;
  const auto status = std::filesystem::status(target, ignored);
  if (std::filesystem::is_directory(status))
    throw FileError(target, "this is the name of a directory; give the name of a file in this directory.");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    descriptor_ = open(target.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    const bool replaces = std::filesystem::exists(status);
    if (replaces && (status.permissions() & any_write) == std::filesystem::perms::none)
      throw FileError(target, "the file is write-protected. Give another name, or make the file writable.");
    target_ = link_target(target);
    int attempt = 0;
    do {
      temporary_ = temporary_name(target_, attempt++);
      descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    // A user who may not read the old file may not read the new one either.
    if (replaces && descriptor_ >= 0) fchmod(descriptor_, static_cast<mode_t>(status.permissions()));
  }
  if (descriptor_ < 0) throw FileError(target_, "the file cannot be created: " + system_message(errno));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!committed_ && temporary_ != target_) unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  while (!text.empty()) {
    const std::size_t n = std::min(text.size(), buffer_.size() - n_buffered_);
    std::memcpy(buffer_.data() + n_buffered_, text.data(), n);
    n_buffered_ += n;
    text.remove_prefix(n);
    if (n_buffered_ == buffer_.size()) flush();
  }
}

void AtomicFile::write_lines(std::string_view prefix, std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    write(prefix);
    write(line);
    write("\n");
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
}

void AtomicFile::write(double value) {
  const std::size_t longest = 32;
  if (buffer_.size() - n_buffered_ < longest) flush();
  char* const begin = buffer_.data() + n_buffered_;
  n_buffered_ += static_cast<std::size_t>(std::to_chars(begin, begin + longest, value + 0.).ptr - begin);
}

void AtomicFile::write(GlobalIndex value) {
  const std::size_t longest = 32;
  if (buffer_.size() - n_buffered_ < longest) flush();
  char* const begin = buffer_.data() + n_buffered_;
  n_buffered_ += static_cast<std::size_t>(std::to_chars(begin, begin + longest, value).ptr - begin);
}

void AtomicFile::flush() {
  const char* begin = buffer_.data();
  while (n_buffered_ > 0) {
    const ssize_t n_written = ::write(descriptor_, begin, n_buffered_);
    if (n_written < 0 && errno == EINTR) continue;
    if (n_written < 0) throw FileError(target_, "writing failed: " + system_message(errno));
    begin += n_written;
    n_buffered_ -= static_cast<std::size_t>(n_written);
  }
}

void AtomicFile::commit() {
  flush();
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) throw FileError(target_, "writing failed: " + system_message(errno));
  if (temporary_ != target_ && rename(temporary_.c_str(), target_.c_str()) != 0)
    throw FileError(target_, "renaming failed: " + system_message(errno));
  committed_ = true;
}

void AtomicFile::commit_to_disk() {
  flush();
  if (!is_synchronized(descriptor_)) throw FileError(target_, "writing failed: " + system_message(errno));
  commit();
  const std::filesystem::path parent = target_.parent_path();
  const int folder = open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // the folder may be writable, but not readable
  const bool is_on_disk = is_synchronized(folder);
  const int error = errno;
  close(folder);
  if (!is_on_disk) throw FileError(target_, "writing the name failed: " + system_message(error));
}

}  // namespace halfdof::internal
