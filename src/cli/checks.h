#pragma once

#include <CLI/CLI.hpp>

#include "model.h"
#include <filesystem>
#include <string>
#include <vector>

/**
 * @file
 * What is looked at before anything is computed.
 */
namespace halfdof::cli {

/// Refuses what is an option: the name of the file was forgotten.
CLI::Validator file_name();

/// Whether a file may hold a picture: its name ends in .png.
bool is_picture(const std::filesystem::path& file);
/// A file_name() of a picture.
CLI::Validator picture_name();

/// Finite numbers from zero, and above zero. NaN is neither.
CLI::Validator at_least_zero();
CLI::Validator above_zero();

/// A file that is going to be written, and the option that names it.
struct OutputFile {
  std::string option;
  std::filesystem::path path;  ///< empty: not asked for
};

/// The same of a file that is read.
using InputFile = OutputFile;

/// The files of a model by their options.
std::vector<InputFile> input_files(const ModelOptions& model);

/// @throws InvalidInput if a file would replace one that is read, or another one of the list; FileError if it
/// cannot be written where it shall be
void check_outputs(const std::vector<InputFile>& read, const std::vector<OutputFile>& files);
void check_outputs(const ModelOptions& model, const std::vector<OutputFile>& files);

}  // namespace halfdof::cli
