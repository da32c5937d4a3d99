// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/atomic_file.h>

#include <filesystem>
#include <string>

namespace halfdof::internal {

/// Writes the complete file or none. @throws FileError
inline void write_text(const std::filesystem::path& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace halfdof::internal
