// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/plots/plot.h>

#include <CLI/CLI.hpp>

#include "model.h"
#include <filesystem>
#include <string>
#include <vector>

/**
 * @file
 * Checks of options and files before the computation.
 */
namespace halfdof::cli {

/// Refuses a name that begins like an option, which means that the name of the file was forgotten.
CLI::Validator file_name();

/// Returns whether the name of a file ends in .png or .svg.
bool is_picture(const std::filesystem::path& file);
/// Validates a file_name() that ends in .png or .svg.
CLI::Validator picture_name();
/// Validates a file_name() that ends in .svg.
CLI::Validator svg_name();
/// Draws a picture into a file whose name ends in .png or .svg.
void write_picture(const Plot& plot, const std::filesystem::path& file);

/// Validators of finite numbers, >= 0 and > 0. NaN is refused.
CLI::Validator at_least_zero();
CLI::Validator above_zero();

/// A file that is going to be written, and the option that names it.
struct OutputFile {
  std::string option;
  std::filesystem::path path;  ///< empty: not requested
};

/// A file that is read, and the option that names it.
using InputFile = OutputFile;

/// Returns the files of a model with their options.
std::vector<InputFile> input_files(const ModelOptions& model);

/// Checks output files. @throws InvalidInput if a file would replace an input file or another file of the
/// list; FileError if it cannot be written
void check_outputs(const std::vector<InputFile>& read, const std::vector<OutputFile>& files);
void check_outputs(const ModelOptions& model, const std::vector<OutputFile>& files);

}  // namespace halfdof::cli
