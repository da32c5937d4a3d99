// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/assembled/files/model_files.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * Matrices written in the formats of other programs.
 */
namespace halfdof::internal {

/// A format that matrices are written in.
struct WrittenFormat {
  FileFormat format;
  const char* name;                     ///< of an option, such as "abaqus-coordinate"
  std::vector<const char*> extensions;  ///< of files that get this format unless another one is asked for
};

/// Returns all formats that matrices are written in.
const std::vector<WrittenFormat>& written_formats();

/// Returns the format that the extension of a file stands for; no value if it stands for none.
std::optional<FileFormat> format_by_extension(const std::filesystem::path& file);

/**
 * Writes matrices to a file. Matrix Market, CalculiX and Abaqus coordinate lists hold one matrix a file;
 * Matrix Market, NumPy, MATLAB, DMIG and OP4 hold complex matrices.
 * @param matrices With names where there are several, or where the format needs one
 * @return What the file does not hold, in whole sentences: labels, or digits
 * @throws InvalidInput if the format cannot hold the matrices
 */
std::vector<std::string> write_matrices(const std::filesystem::path& file, FileFormat format,
                                        const std::vector<FileMatrix>& matrices);

/// Writes a list of labels that read_dof_labels() reads: a node and the number of a component a line.
void write_dof_labels(const std::filesystem::path& file, const std::vector<FileDoF>& dofs);

}  // namespace halfdof::internal
