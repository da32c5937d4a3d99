#pragma once

#include <halfdof/base/types.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace halfdof::cli {

using Json = nlohmann::ordered_json;

/// Writes the file in one piece. Numbers that are not finite, which JSON does not know, become null.
/// @throws FileError
void write_json(const std::filesystem::path& file, const Json& json);

/// [[re, im], ...]; zeros without a sign.
Json pairs(const std::vector<Complex>& values);

}  // namespace halfdof::cli
