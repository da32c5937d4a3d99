// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/assembled/files/skipped_variable.h>
#include <halfdof/base/types.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

/**
 * @file
 * Matrices in files of NumPy and SciPy.
 *
 * `.npy` is one array (numpy.save). `.npz` is a zip archive of arrays NAME.npy. scipy.sparse.save_npz writes
 * the arrays `format`, `shape` and `data`, and beside these:
 *
 * | format | arrays | entries |
 * |---|---|---|
 * | csr, csc | indptr, indices | those of row (column) i are indptr[i] ... indptr[i + 1] - 1 |
 * | bsr | indptr, indices | the same with blocks, whose values are data[k, :, :] |
 * | coo | row, col | one of each for each value |
 * | dia | offsets | data[k, j] stands in column j, row j - offsets[k] |
 *
 * The numbers are Booleans, integers, single or double precision, real or complex, in either byte order; the
 * indices are integers of any size. Zeros of dense arrays and of the format dia are not stored.
 */
namespace halfdof::internal {

/**
 * Reads the matrix that scipy.sparse.save_npz wrote, whose name is empty, or every matrix of an archive of
 * numpy.savez: its arrays of two dimensions, and groups of arrays NAME_format, NAME_shape, NAME_data, ...,
 * which are sparse matrices in the formats above.
 * @param skipped The arrays that are no matrices are appended to it, if it is not null
 * @throws FileError if the file is damaged, or holds no matrix
 */
std::vector<FileMatrix> read_npz(const std::filesystem::path& file,
                                 std::vector<SkippedVariable>* skipped = nullptr);

/// Reads an array of two dimensions. @throws FileError if the file is damaged, or holds something else
std::vector<FileMatrix> read_npy(const std::filesystem::path& file);

/// Writes a matrix, compressed by columns, as scipy.sparse.load_npz reads it. The file appears under its name
/// only when it is complete. @throws InvalidInput for NaN or infinite entries
void write_npz(const std::filesystem::path& file, const Eigen::SparseMatrix<double>& matrix);

/// An array of an archive.
struct NpzArray {
  std::string name;
  std::variant<Eigen::SparseMatrix<double>, Eigen::SparseMatrix<Complex>, MultiVector, ComplexMultiVector>
      value;
};

/// Writes an archive that read_npz() reads: dense arrays under their names, and sparse ones as NAME_format,
/// NAME_shape, NAME_data, NAME_indices and NAME_indptr; without a name, as scipy.sparse.save_npz writes it.
void write_npz(const std::filesystem::path& file, const std::vector<NpzArray>& arrays);

}  // namespace halfdof::internal
