#pragma once

#include <halfdof/base/types.h>

#include <toml.hpp>

#include <string>

/**
 * @file
 * Values of a case file as the parser leaves them; for what reads them alone, since the parser is slow to
 * compile.
 */
namespace halfdof::cli {

/// Counted from one; 0 for a value that stands in no file.
GlobalIndex line_of(const toml::value& value);

bool is_number(const toml::value& value);
double number_of(const toml::value& value);

/// What was found, for messages: "-0.001", "\"moreau\"", "a list".
std::string found(const toml::value& value);

}  // namespace halfdof::cli
