// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/base/types.h>

#include <cstdint>
#include <functional>
#include <string>

namespace halfdof::internal {

/// Called with the reason why a file is refused, in whole sentences; it must throw.
using Refuse = std::function<void(const std::string& reason)>;

/**
 * Checks sizes of a sparse matrix that a file announces, before memory is allocated for them: at most 2^31 -
 * 2 rows and columns and 2^31 - 1 entries. A matrix needs memory for each row or column even without entries,
 * so above ten million of these one entry for each hundred of them is expected, as in Matrix Market files.
 */
void check_sparse_size(std::int64_t n_rows, std::int64_t n_columns, std::int64_t n_entries,
                       const Refuse& refuse);

/// Checks sizes of a dense matrix that a file announces: at most 2^31 - 2 rows and columns.
void check_dense_size(std::int64_t n_rows, std::int64_t n_columns, const Refuse& refuse);

/**
 * Turns a matrix whose arrays have been filled as a file lists them into the form of FileMatrix. The outer
 * indices must begin with 0, not descend, and end with the number of entries, and inner indices must lie
 * inside the matrix; otherwise the file is refused.
 */
template <int StorageOrder>
Eigen::SparseMatrix<double> by_columns(Eigen::SparseMatrix<double, StorageOrder>&& matrix,
                                       const Refuse& refuse);

/// Sorts the entries of each column by rows, and adds those of the same row in the order in which they stand.
void sort_and_add(Eigen::SparseMatrix<double>& A);

/**
 * Returns the nonzeros of a dense matrix.
 * @tparam StorageOrder Eigen::ColMajor: column by column; Eigen::RowMajor: row by row
 * @param value value(k) is the entry at position k in that order
 */
template <int StorageOrder, class Value>
Eigen::SparseMatrix<double> nonzeros(Index n_rows, Index n_columns, const Value& value,
                                     const Refuse& refuse) {
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

/// Returns the first entry that is NaN or infinite, as "row 3, column 1 is nan", counted from `first`; empty
/// if there is none.
std::string first_non_finite(const FileMatrix& matrix, int first);

/// Refuses a matrix with an entry that is NaN or infinite. @param first Index of the first row in messages
void check_finite(const FileMatrix& matrix, int first, const Refuse& refuse);

/// Refuses to write a matrix with an entry that is NaN or infinite. @throws InvalidInput
void check_finite_to_write(const Eigen::SparseMatrix<double>& matrix, const char* format);

}  // namespace halfdof::internal
