// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/input_file.h>

#include <system_error>

namespace halfdof::internal {

std::string why_unreadable(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  switch (status.type()) {
    case fs::file_type::regular:
      return "";
    case fs::file_type::not_found:
      return "there is no such file";
    case fs::file_type::directory:
      return "it is a directory, and the name of a file is needed";
    case fs::file_type::none:
    case fs::file_type::unknown:
      return "its status cannot be read: " + error.message();
    default:
      return "it is a pipe, a device or a socket, and only regular files can be read";
  }
}

}  // namespace halfdof::internal
