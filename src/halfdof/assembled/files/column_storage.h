// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/base/types.h>

#include <cstdint>
#include <functional>
#include <string>

namespace halfdof::internal {

/// A function that rejects a file: it throws an error with the given reason, which is one sentence or more.
using RejectFile = std::function<void(const std::string& reason)>;

/**
 * Checks the sizes of a sparse matrix that a file states, before memory is allocated: at most 2^31 - 2 rows
 * and columns and 2^31 - 1 entries. A matrix needs memory for each row or column even without entries.
 * Therefore a matrix of more than ten million rows or columns must have at least one entry for every hundred
 * of them (is_plausible()).
 */
void check_sparse_size(std::int64_t n_rows, std::int64_t n_columns, std::int64_t n_entries,
                       const RejectFile& refuse);

/// Checks the sizes of a dense matrix that a file states: at most 2^31 - 2 rows and columns.
void check_dense_size(std::int64_t n_rows, std::int64_t n_columns, const RejectFile& refuse);

/**
 * Converts a matrix in compressed row or column storage, whose arrays were read from a file, to compressed
 * columns with ascending rows and without duplicates (FileMatrix). The file is rejected unless the outer
 * indices begin with 0, do not descend, and end with the number of entries, and the inner indices lie inside
 * the matrix.
 */
template <int StorageOrder>
Eigen::SparseMatrix<double> by_columns(Eigen::SparseMatrix<double, StorageOrder>&& matrix,
                                       const RejectFile& refuse);

/// Sorts the entries of each column by rows, and adds entries of the same row in the order of the storage.
void sort_and_add(Eigen::SparseMatrix<double>& A);

/**
 * Returns the nonzeros of a dense matrix.
 * @tparam StorageOrder Eigen::ColMajor: column by column; Eigen::RowMajor: row by row
 * @param value value(k) returns the entry at position k in this storage order
 */
template <int StorageOrder, class Value>
Eigen::SparseMatrix<double> nonzeros(Index n_rows, Index n_columns, const Value& value,
                                     const RejectFile& refuse) {
  using Sparse = Eigen::SparseMatrix<double, StorageOrder>;
  const auto n_outer = static_cast<std::size_t>(StorageOrder == Eigen::ColMajor ? n_columns : n_rows);
  const auto n_inner = static_cast<std::size_t>(StorageOrder == Eigen::ColMajor ? n_rows : n_columns);
  std::size_t n_nonzeros = 0;
  for (std::size_t k = 0; k < n_outer * n_inner; ++k)
    n_nonzeros += value(k) != 0;
  check_sparse_size(n_rows, n_columns, static_cast<std::int64_t>(n_nonzeros), refuse);
  Sparse A(n_rows, n_columns);
  A.resizeNonZeros(static_cast<Index>(n_nonzeros));
  Index n = 0;
  for (std::size_t j = 0, k = 0; j < n_outer; ++j) {
    for (std::size_t i = 0; i < n_inner; ++i, ++k)
      if (const double a = value(k); a != 0) {
        A.innerIndexPtr()[n] = static_cast<Index>(i);
        A.valuePtr()[n++] = a;
      }
    A.outerIndexPtr()[j + 1] = n;
  }
  return by_columns(std::move(A), refuse);
}

/// Describes the first entry that is NaN or infinite, as "row 3, column 1 is nan", where rows and columns are
/// counted from `first`. The text is empty if all entries are finite.
std::string first_non_finite(const FileMatrix& matrix, int first);

/// Rejects a matrix with an entry that is NaN or infinite. @param first Index of the first row in messages
void check_finite(const FileMatrix& matrix, int first, const RejectFile& refuse);

/// Checks that all entries of a matrix to be written are finite. @throws InvalidInput otherwise
void check_finite_to_write(const Eigen::SparseMatrix<double>& matrix, const char* format);

}  // namespace halfdof::internal
