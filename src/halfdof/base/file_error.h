#pragma once

#include <halfdof/base/errors.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace halfdof {

/// What the operating system says of an error. @param error errno
inline std::string system_message(int error) {
  return std::generic_category().message(error) + ".";
}

/// A file that cannot be read or written, or whose text breaks its format. The message reads
/// "K.mtx:12: what is wrong there, and what to do".
class FileError : public InvalidInput {
 public:
  FileError(const std::filesystem::path& file, GlobalIndex line, const std::string& reason)
      : InvalidInput(file.string() + ":" + std::to_string(line) + ": " + reason), file_(file), line_(line) {}

  /// No single line is to blame.
  FileError(const std::filesystem::path& file, const std::string& reason)
      : InvalidInput(file.string() + ": " + reason), file_(file) {}

  const std::filesystem::path& file() const { return file_; }

  /// Counted from one; 0 where no single line is to blame.
  GlobalIndex line() const { return line_; }

 private:
  std::filesystem::path file_;
  GlobalIndex line_ = 0;
};

}  // namespace halfdof
