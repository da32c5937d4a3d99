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
 * Functions that write matrices in the formats of other programs.
 */
namespace halfdof::internal {

/// A format in which matrices can be written.
struct WrittenFormat {
  FileFormat format;
  const char* name;                     ///< name of the format in options, such as "abaqus-coordinate"
  std::vector<const char*> extensions;  ///< extensions of files for which this format is the default
};

/// Returns all formats in which matrices can be written.
const std::vector<WrittenFormat>& written_formats();

/// Returns the default format for the extension of a file. The result has no value if the extension is not
/// known.
std::optional<FileFormat> format_by_extension(const std::filesystem::path& file);

/**
 * Writes matrices to a file. Files of Matrix Market, Harwell-Boeing and CalculiX and Abaqus coordinate lists
 * can contain only one matrix. Files of Matrix Market, Harwell-Boeing, NumPy, MATLAB, DMIG and OP4 can
 * contain complex matrices.
 * @param matrices The matrices, which need names if there are several matrices or if the format requires a
 *     name
 * @return Remarks about information that was lost: labels that were not written, or entries that were rounded
 * @throws InvalidInput if the format cannot represent the matrices
 */
std::vector<std::string> write_matrices(const std::filesystem::path& file, FileFormat format,
                                        const std::vector<FileMatrix>& matrices);

/// Writes a list of labels that read_dof_labels() can read: each line has the number of a node and the number
/// of a component.
void write_dof_labels(const std::filesystem::path& file, const std::vector<FileDoF>& dofs);

}  // namespace halfdof::internal
