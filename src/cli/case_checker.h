// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "toml_value.h"
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::cli {

/// Returns the entries of a table in the order of the file, so that the first error in the file is reported.
std::vector<const toml::table::value_type*> in_order(const toml::value& table);

/// Checks one section, or inline table, against the table of keys. @throws FileError with the line, the key
/// and the allowed values
void check_section(const std::filesystem::path& file, const std::string& section, const toml::value& table);

}  // namespace halfdof::cli
