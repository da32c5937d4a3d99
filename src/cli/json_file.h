// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace halfdof::cli {

using Json = nlohmann::ordered_json;

/// Writes the complete file or none. Numbers that are not finite, which JSON cannot represent, become null.
/// @throws FileError
void write_json(const std::filesystem::path& file, const Json& json);

/// Returns [[re, im], ...], with zeros without sign.
Json pairs(const std::vector<Complex>& values);

/// Returns [a_1, a_2, ...], with zeros without sign.
Json list_of(const Vector& vector);

/// Returns [[a_11, a_12, ...], ...], the rows of a matrix, with zeros without sign.
Json rows_of(const MultiVector& matrix);

}  // namespace halfdof::cli
