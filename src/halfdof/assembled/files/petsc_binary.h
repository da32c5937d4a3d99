// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <vector>

/**
 * @file
 * Matrices as PETSc writes them by MatView() with a binary viewer (PETSc, Users Manual, MatLoad()):
 * big-endian, one after the other,
 *
 * @code{.unparsed}
 * class id 1211216, number of rows, number of columns, number of entries
 * number of entries of each row
 * column of each entry, counted from zero, row by row
 * value of each entry
 * @endcode
 *
 * Where -1 stands for the number of entries, the matrix is dense, and only its values follow, row by row.
 * Integers have 32 bits, or 64 if PETSc was configured so. The values are double precision, real or complex
 * as PETSc was configured; the file does not say it, but only one of the two agrees with its length
 * (a complex file that was cut off after exactly half of its values passes for a real one).
 */
namespace halfdof::internal {

/// Reads all matrices of a file. They have no names in it; where there are several, their numbers 1, 2, ...
/// in the order of the file are their names. @throws FileError if the file is damaged, or holds a
/// vector or another object
std::vector<FileMatrix> read_petsc(const std::filesystem::path& file);

/// Writes real matrices one after the other with integers of 32 bits, as MatLoad() reads them. The file
/// appears under its name only when it is complete. @throws InvalidInput for NaN or infinite entries
void write_petsc(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices);
void write_petsc(const std::filesystem::path& file, const Eigen::SparseMatrix<double>& matrix);

}  // namespace halfdof::internal
