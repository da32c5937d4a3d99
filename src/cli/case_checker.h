#pragma once

#include "toml_value.h"
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::cli {

/// Entries of a table in the order of the file, so that the first mistake is reported.
std::vector<const toml::table::value_type*> in_order(const toml::value& table);

/// Holds one section, or inline table, against the table of keys.
/// @throws FileError with line, key and what is allowed
void check_section(const std::filesystem::path& file, const std::string& section, const toml::value& table);

}  // namespace halfdof::cli
