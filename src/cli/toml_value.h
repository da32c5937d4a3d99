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

/// Counted from one; 0 for a value that stands in no file. Counts from the top of the file: for messages.
GlobalIndex line_of(const toml::value& value);
/// The same from that of another value of the file: takes as long as what stands between them.
GlobalIndex line_of(const toml::value& value, const toml::value& other, GlobalIndex line_of_other);

bool is_number(const toml::value& value);
double number_of(const toml::value& value);

/// What was found, for messages: "-0.001", "\"moreau\"", "a list".
std::string found(const toml::value& value);

}  // namespace halfdof::cli
