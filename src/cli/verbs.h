// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

/**
 * @file
 * The verbs of the program. Each function declares one verb. The callback of the verb runs it, prints tables
 * on standard output and stores the exit code of the program. Errors are thrown.
 */
namespace halfdof::cli {

void add_inspect(CLI::App& program, int& exit_code);
void add_reduce(CLI::App& program, int& exit_code);
void add_modes(CLI::App& program, int& exit_code);
void add_response(CLI::App& program, int& exit_code);
void add_simulate(CLI::App& program, int& exit_code);
void add_kernel(CLI::App& program, int& exit_code);
void add_prony(CLI::App& program, int& exit_code);
void add_convert(CLI::App& program, int& exit_code);
/// @param command the command line, which the report shows
void add_report(CLI::App& program, int& exit_code, const std::string& command);

}  // namespace halfdof::cli
