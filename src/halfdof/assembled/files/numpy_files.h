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
 * A file `.npy` is one array (numpy.save). A file `.npz` is a zip archive of arrays NAME.npy. The function
 * scipy.sparse.save_npz writes the arrays `format`, `shape` and `data`, and also the following arrays:
 *
 * | format | arrays | entries |
 * |---|---|---|
 * | csr, csc | indptr, indices | row (column) i has the entries indptr[i] ... indptr[i + 1] - 1 |
 * | bsr | indptr, indices | block row i has data[k, :, :] for k = indptr[i] ... indptr[i + 1] - 1 |
 * | coo | row, col | value k is in row row[k] and column col[k] |
 * | dia | offsets | data[k, j] is in column j and row j - offsets[k] |
 *
 * The numbers are Booleans, integers, single or double precision, real or complex, in either byte order; the
 * indices are integers of any size. Zeros of dense arrays and of the format dia are not stored.
 */
namespace halfdof::internal {

/**
 * Reads the matrix that scipy.sparse.save_npz wrote, whose name is empty, or every matrix of an archive of
 * numpy.savez: its arrays of two dimensions, and groups of arrays NAME_format, NAME_shape, NAME_data, ...,
 * which are sparse matrices in the formats above.
 * @param skipped If not null, the list to which arrays that are not matrices are appended
 * @throws FileError if the file is damaged, or holds no matrix
 */
std::vector<FileMatrix> read_npz(const std::filesystem::path& file,
                                 std::vector<SkippedVariable>* skipped = nullptr);

/// Reads an array of two dimensions. @throws FileError if the file is damaged, or if the array is not a
/// matrix of numbers
std::vector<FileMatrix> read_npy(const std::filesystem::path& file);

/// Writes a matrix, compressed by columns, as scipy.sparse.load_npz reads it. The file appears under its name
/// only when it is complete. @throws InvalidInput for NaN or infinite entries
void write_npz(const std::filesystem::path& file, const Eigen::SparseMatrix<double>& matrix);

/// An array or a sparse matrix of an archive.
struct NpzArray {
  std::string name;
  std::variant<Eigen::SparseMatrix<double>, Eigen::SparseMatrix<Complex>, MultiVector, ComplexMultiVector>
      value;
};

/// Writes an archive that read_npz() can read. A dense array has its name. A sparse matrix is written as
/// arrays NAME_format, NAME_shape, NAME_data, NAME_indices and NAME_indptr, or, if its name is empty, as
/// scipy.sparse.save_npz writes it.
void write_npz(const std::filesystem::path& file, const std::vector<NpzArray>& arrays);

}  // namespace halfdof::internal
