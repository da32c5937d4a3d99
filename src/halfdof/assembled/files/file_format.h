// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/assembled/files/skipped_variable.h>

#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::internal {

/// What a file holds.
struct FileContent {
  std::filesystem::path file;
  std::string name;  ///< the matrix that FILE:NAME asks for; empty: all
  FileFormat format = FileFormat::matrix_market;
  std::vector<FileMatrix> matrices;      ///< at least one; only that of `name` if it is given
  std::vector<SkippedVariable> skipped;  ///< what the file holds beside matrices of numbers
};

/// Reads a file of any format. @param file The file, or FILE:NAME
/// @throws FileError if the format is unknown, or if the file has no matrix NAME
FileContent read_content(const std::filesystem::path& file);

/// Splits FILE:NAME. A file whose own name contains the colon has precedence. @param name Set to NAME, or
/// empty
std::filesystem::path without_matrix_name(const std::filesystem::path& file, std::string& name);

}  // namespace halfdof::internal
