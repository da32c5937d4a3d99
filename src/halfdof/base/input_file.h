// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <filesystem>
#include <string>

namespace halfdof::internal {

/// Returns the reason why a file cannot be read from start to end, as a clause such as "there is no
/// such file", and an empty text if reading can be tried. Pipes, devices and sockets are refused
/// because they may never end, and because some files are read twice.
std::string why_unreadable(const std::filesystem::path& file);

}  // namespace halfdof::internal
