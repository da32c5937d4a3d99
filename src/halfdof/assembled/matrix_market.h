#pragma once

#include <halfdof/base/file_error.h>
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
 * 3 3 4            rows, columns, lines that follow
 * 1 1  2.0         row, column, value, counted from one
 * 2 1 -1.0         stands for a_12 as well; the line 1 2 -1.0 would do the same
 * 2 2  2.0
 * 3 3  1.0
 * @endcode
 *
 * Read are `coordinate` and `array` layouts with `real` or `integer` entries that are `general`, `symmetric`
 * or `skew-symmetric`, which list either triangle; the words of the first line in any case. Files that gzip
 * compressed are read, too. Entries that stand twice add up, in the order of the file. Stored zeros of a
 * coordinate file stay stored. Comment lines and blank lines may stand anywhere after the first line; lines
 * may end in \\n or \\r\\n. `pattern`, `complex` and `hermitian` files are refused by name.
 *
 * Everything that breaks the format is refused with file, line and reason (FileError, an InvalidInput): a
 * wrong first line, a missing size line, fewer or more entries than announced, an index outside the matrix,
 * a word that is no number, text after the value, an entry that a symmetric or skew-symmetric file lists in
 * both triangles, a diagonal entry of a skew-symmetric file, NaN and infinity (named by row and column),
 * numbers beyond double precision, more than 2^31 - 1 rows, columns or entries, a missing file, a directory,
 * a compressed file that is cut off or corrupt.
 * What no reader can see is a file cut inside its very last number.
 */
namespace halfdof {

/// The matrix in `file`, compressed by columns, rows ascending. Of an array file the zeros are not stored.
Eigen::SparseMatrix<double> read_matrix_market(const std::filesystem::path& file);

/// The n x 1 matrix in `file`, in array or coordinate layout.
Vector read_matrix_market_vector(const std::filesystem::path& file);

/// The dense n x m matrix in `file`, which must be in array layout.
MultiVector read_matrix_market_array(const std::filesystem::path& file);

/// What of a sparse matrix is written.
enum class StoredPart {
  all,                 ///< every stored entry, as `general`: any reader gets the very same pattern
  lower_if_symmetric,  ///< half the file where a_ij = a_ji exactly, as `symmetric`; otherwise all of it
};

/**
 * Writes every stored entry column by column, with the fewest digits that read back as the same doubles. The
 * file appears only when it is complete (see AtomicFile). `comment` may have several lines.
 * @throws InvalidInput for NaN or infinite entries (named by row and column)
 * @throws FileError if the file cannot be written
 */
void write_matrix_market(const std::filesystem::path& file, const Eigen::SparseMatrix<double>& matrix,
                         const std::string& comment = "", StoredPart part = StoredPart::all);

/// The same for a dense matrix or a vector, in array layout.
void write_matrix_market(const std::filesystem::path& file, ConstView<double> matrix,
                         const std::string& comment = "");

}  // namespace halfdof
