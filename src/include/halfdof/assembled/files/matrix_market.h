// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <filesystem>
#include <string>

/**
 * @file
 * Matrices as text files in the Matrix Market exchange format (Boisvert, Pozo and Remington, The Matrix
 * Market Exchange Formats: Initial Design, NISTIR 5935, 1996):
 *
 * @code{.unparsed}
 * %%MatrixMarket matrix coordinate real symmetric
 * % a comment
 * 3 3 4            rows, columns, number of lines with entries
 * 1 1  2.0         row, column, value, counted from one
 * 2 1 -1.0         represents a_12, too; the line 1 2 -1.0 would have the same effect
 * 2 2  2.0
 * 3 3  1.0
 * @endcode
 *
 * Supported are `coordinate` and `array` layouts with `real` or `integer` entries that are `general`,
 * `symmetric` or `skew-symmetric`; a symmetric file may list entries of either triangle. The words of the
 * first line may have any case. Files compressed with gzip are read, too. Repeated entries are added, in the
 * order of the file. Zeros listed in a coordinate file are stored. Comment lines and blank lines may follow
 * anywhere after the first line; lines may end in \\n or \\r\\n. `pattern`, `complex` and `hermitian` files
 * are rejected with an error that names the unsupported word. The functions read_matrices() and read_model()
 * accept also `complex` matrices, which may be `hermitian`.
 *
 * Every violation of the format is an error with file, line and reason (FileError, an InvalidInput): a
 * wrong first line, a missing size line, fewer or more entries than announced, an index outside the matrix,
 * a word that is no number, text after the value, an entry that a symmetric or skew-symmetric file lists in
 * both triangles, a diagonal entry of a skew-symmetric file, NaN and infinity (named by row and column),
 * numbers beyond double precision, more than 2^31 - 1 rows, columns or entries, a missing file, a directory,
 * a compressed file that is truncated or corrupt.
 * The only error that cannot be detected is a file truncated inside its last number.
 */
namespace halfdof {

/// Reads a sparse matrix. The result is compressed by columns, with ascending rows. Zeros of an array file
/// are not stored.
Eigen::SparseMatrix<double> read_matrix_market(const std::filesystem::path& file);

/// Reads an n x 1 matrix in array or coordinate layout.
Vector read_matrix_market_vector(const std::filesystem::path& file);

/// Reads a dense n x m matrix, which must be in array layout.
MultiVector read_matrix_market_array(const std::filesystem::path& file);

/// The part of a sparse matrix that write_matrix_market() writes.
enum class StoredPart {
  all,                 ///< every stored entry, as `general`, so that a reader gets exactly the same pattern
  lower_if_symmetric,  ///< the lower triangle if a_ij = a_ji exactly, as `symmetric`; otherwise all entries
};

/**
 * Writes every stored entry column by column, with the fewest digits that are read back as the same doubles.
 * The file appears only when it is complete (see AtomicFile). `comment` may have several lines.
 * @throws InvalidInput for NaN or infinite entries (named by row and column)
 * @throws FileError if the file cannot be written
 */
void write_matrix_market(const std::filesystem::path& file, const Eigen::SparseMatrix<double>& matrix,
                         const std::string& comment = "", StoredPart part = StoredPart::all);

/// Writes the entries of an EigenMatrix in the same way.
inline void write_matrix_market(const std::filesystem::path& file,
                                const Eigen::Map<const Eigen::SparseMatrix<double>>& matrix,
                                const std::string& comment = "", StoredPart part = StoredPart::all) {
  write_matrix_market(file, Eigen::SparseMatrix<double>(matrix), comment, part);
}

/// Writes a complex matrix in the same way.
void write_matrix_market(const std::filesystem::path& file, const Eigen::SparseMatrix<Complex>& matrix,
                         const std::string& comment = "", StoredPart part = StoredPart::all);

/// Writes a dense matrix or a vector in array layout.
void write_matrix_market(const std::filesystem::path& file, ConstView<double> matrix,
                         const std::string& comment = "");
void write_matrix_market(const std::filesystem::path& file, ConstView<Complex> matrix,
                         const std::string& comment = "");

}  // namespace halfdof
