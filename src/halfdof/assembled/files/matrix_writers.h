// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <string>
#include <vector>

/**
 * @file
 * Writers of text formats of other programs. Every file is read back by the reader of its format with the
 * same entries, rows and labels, unless a function says otherwise, and appears under its name only when it is
 * complete. DMIG and OP4 hold complex matrices, the other formats real ones. A matrix that a format cannot
 * hold is refused with InvalidInput.
 */
namespace halfdof::internal {

/// Writes a symmetric matrix as CalculiX does, the upper triangle column by column, and the labels of its
/// rows beside it as FILE.dof (FILE is without its extension). @param file With an extension of CalculiX
void write_calculix(const std::filesystem::path& file, const FileMatrix& matrix);

/// Writes both triangles of a square matrix as `row column value`. Where an unsymmetric matrix has a_ij
/// without a_ji, a zero is listed for a_ji, so that the list cannot be taken for one triangle.
void write_abaqus_coordinate(const std::filesystem::path& file, const FileMatrix& matrix);

/// Writes square matrices with labels as blocks of `*MATRIX INPUT, NAME=..., TYPE=...`. A DoF without entries
/// gets a zero on the diagonal.
void write_abaqus_matrix_input(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices);

/**
 * Writes matrices with labels as DMIG cards of 16 characters a field: symmetric ones by one triangle (IFO 6),
 * square (1) and rectangular ones (2, or 9 if the columns have no labels).
 * @return The largest relative difference between an entry and the number that fits in a field of 16
 * characters
 */
double write_nastran_dmig(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices);

/// Writes matrices as a text file of OUTPUT4 in double precision, every column as strings of entries that are
/// next to each other; of more than 65535 rows in the form BIGMAT. Labels are not part of the format.
void write_op4_text(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices);

}  // namespace halfdof::internal
