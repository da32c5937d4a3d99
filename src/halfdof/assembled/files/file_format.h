// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/assembled/files/skipped_variable.h>

#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::internal {

/// The matrices of a file, and how the file was read.
struct FileContent {
  std::filesystem::path file;
  std::string name;  ///< NAME of FILE:NAME; empty if all matrices are read
  FileFormat format = FileFormat::matrix_market;
  std::vector<FileMatrix> matrices;      ///< at least one matrix; only the matrix NAME if a name is given
  std::vector<SkippedVariable> skipped;  ///< variables of the file that are not matrices of numbers
};

/// Reads a file of any format. @param file The file, or FILE:NAME
/// @throws FileError if the format is unknown, or if the file has no matrix NAME
FileContent read_content(const std::filesystem::path& file);

/// Reads a file of any format with one matrix, real or complex, whose entries are finite.
/// @param file The file, or FILE:NAME @throws FileError as read_matrix(), but not for a complex matrix
FileMatrix read_only_matrix(const std::filesystem::path& file);

/// Rejects a complex matrix where a real one is expected. @param imaginary Imaginary part, empty if the
/// matrix is real @param file The file, or FILE:NAME @throws FileError if the matrix is complex
void check_is_real(const Eigen::SparseMatrix<double>& imaginary, const std::filesystem::path& file);

/// Splits FILE:NAME and returns FILE. If a file with the whole text as its name exists, the text is not
/// split. @param name Set to NAME, or to an empty text
std::filesystem::path without_matrix_name(const std::filesystem::path& file, std::string& name);

}  // namespace halfdof::internal
