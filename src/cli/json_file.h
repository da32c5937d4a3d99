#pragma once

#include <halfdof/base/types.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace halfdof::cli {

using Json = nlohmann::ordered_json;

/// Writes the file in one piece, and the folder it lies in if need be. Numbers that are not finite, which
/// JSON does not know, become null. @throws FileError
void write_json(const std::filesystem::path& file, const Json& json);

/// Makes the folder of a file that is going to be written. @throws FileError
void make_folder_of(const std::filesystem::path& file);

/// [[re, im], ...]; zeros without a sign.
Json pairs(const std::vector<Complex>& values);

}  // namespace halfdof::cli
