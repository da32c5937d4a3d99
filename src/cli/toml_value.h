// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <toml.hpp>

#include <string>

/**
 * @file
 * Values of a case file as returned by the parser. Only files that need these values include this header,
 * since the parser is slow to compile.
 */
namespace halfdof::cli {

/// Returns the line of a value in its file, counted from one; 0 for a value that is not in a file. Each call
/// takes time proportional to the text before the value; for many values use the function below.
GlobalIndex line_of(const toml::value& value);
/// Returns the line of a value, given the line of another one; it takes time proportional to the text between
/// them.
GlobalIndex line_of(const toml::value& value, const toml::value& other, GlobalIndex line_of_other);

bool is_number(const toml::value& value);
double number_of(const toml::value& value);

/// Returns the value as text for messages: "-0.001", "\"moreau\"", "a list".
std::string found(const toml::value& value);

}  // namespace halfdof::cli
