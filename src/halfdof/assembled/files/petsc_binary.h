// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <vector>

/**
 * @file
 * Matrices that PETSc writes by MatView() with a binary viewer (PETSc, Users Manual, MatLoad()). The file
 * contains one matrix after the other, in big-endian byte order:
 *
 * @code{.unparsed}
 * class id 1211216, number of rows, number of columns, number of entries
 * number of entries of each row
 * column of each entry, counted from zero, row by row
 * value of each entry
 * @endcode
 *
 * If the number of entries is -1, the matrix is dense, and only its values follow, row by row. Integers have
 * 32 or 64 bits, and the values are real or complex in double precision, according to the configuration of
 * PETSc. The file does not say whether the values are complex, but only one of the two cases is consistent
 * with its size. (A complex file that was cut off after exactly half of its values is read as a real file.)
 */
namespace halfdof::internal {

/// Reads all matrices of a file. The file contains no names of matrices; if it contains several matrices,
/// their numbers 1, 2, ... in the order of the file are used as names. @throws FileError if the file is
/// damaged, or if it contains a vector or another object
std::vector<FileMatrix> read_petsc(const std::filesystem::path& file);

/// Writes real matrices one after the other with integers of 32 bits, as MatLoad() reads them. The file
/// appears under its name only when it is complete. @throws InvalidInput for NaN or infinite entries
void write_petsc(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices);
void write_petsc(const std::filesystem::path& file, const Eigen::SparseMatrix<double>& matrix);

}  // namespace halfdof::internal
