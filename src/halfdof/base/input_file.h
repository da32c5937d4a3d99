#pragma once

#include <filesystem>
#include <string>

namespace halfdof {

/// Why a file cannot be read from its begin to its end: a clause such as "there is no such file"; empty where
/// it can be tried. Pipes, devices and sockets are refused because they may never end, and files are read
/// twice.
std::string obstacle_to_reading(const std::filesystem::path& file);

}  // namespace halfdof
