#pragma once

#include <CLI/CLI.hpp>

/**
 * @file
 * The verbs of the program. Each function declares one; its callback runs it when it was given, prints tables
 * on standard output and stores what the program hands back to the shell. Errors are thrown.
 */
namespace halfdof::cli {

void add_inspect(CLI::App& program, int& exit_code);
void add_reduce(CLI::App& program, int& exit_code);
void add_modes(CLI::App& program, int& exit_code);
void add_response(CLI::App& program, int& exit_code);
void add_simulate(CLI::App& program, int& exit_code);
void add_kernel(CLI::App& program, int& exit_code);

}  // namespace halfdof::cli
