// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

/**
 * @file
 * Writers of text formats of other programs. Unless a function says otherwise, the reader of the format reads
 * the same entries, rows and labels from the file. A file appears under its name only when it is complete.
 * DMIG and OP4 can represent complex matrices, the other formats real ones. A matrix that the format
 * cannot represent is rejected with InvalidInput.
 */
namespace halfdof::internal {

/// Returns whether a_ij = a_ji for all entries, where entries that are not stored are zero.
template <class Scalar>
bool is_exactly_symmetric(const Eigen::SparseMatrix<Scalar>& A) {
  if (A.rows() != A.cols()) return false;
  const Eigen::SparseMatrix<Scalar> difference = A - Eigen::SparseMatrix<Scalar>(A.transpose());
  const Scalar* const begin = difference.valuePtr();
  return std::all_of(begin, begin + difference.nonZeros(), [](Scalar value) { return value == Scalar(0); });
}

/// Writes the upper triangle of a symmetric matrix column by column as CalculiX does. If the rows have
/// labels, the list of labels is written to the same directory, to a file of the same name with the extension
/// .dof. @param file The name of the file, with an extension of CalculiX
void write_calculix(const std::filesystem::path& file, const FileMatrix& matrix);

/// Writes both triangles of a square matrix as `row column value`. If an unsymmetric matrix has an entry
/// a_ij, but no entry a_ji, then a zero is listed for a_ji. Otherwise a reader could take the list for one
/// triangle of a symmetric matrix.
void write_abaqus_coordinate(const std::filesystem::path& file, const FileMatrix& matrix);

/// Writes square matrices with labels as blocks of `*MATRIX INPUT, NAME=..., TYPE=...`. A DoF without entries
/// gets a zero on the diagonal.
void write_abaqus_matrix_input(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices);

/**
 * Writes matrices with labels as DMIG cards with fields of 16 characters: one triangle of symmetric matrices
 * (IFO 6), and all entries of square matrices (IFO 1) and rectangular matrices (IFO 2, or 9 if the columns
 * have no labels).
 * @return The largest relative difference between an entry and the number that fits in a field of 16
 * characters
 */
double write_nastran_dmig(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices);

/// Writes matrices as a text file of OUTPUT4 in double precision. Every column is a sequence of strings,
/// which are entries in consecutive rows. Matrices of more than 65535 rows are written in the form BIGMAT.
/// Labels are not part of the format.
void write_op4_text(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices);

}  // namespace halfdof::internal
