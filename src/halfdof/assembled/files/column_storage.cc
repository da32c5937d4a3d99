// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/column_storage.h>
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/shape_text.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr std::int64_t largest_index = std::numeric_limits<Index>::max();

/// Order of the row indices within the columns of a matrix.
enum class InnerOrder { unsorted, with_duplicates, strictly_ascending };

InnerOrder inner_order(const Sparse& A) {
  const Index* const rows = A.innerIndexPtr();
  InnerOrder order = InnerOrder::strictly_ascending;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index p = A.outerIndexPtr()[j] + 1; p < A.outerIndexPtr()[j + 1]; ++p) {
      if (rows[p - 1] > rows[p]) return InnerOrder::unsorted;
      if (rows[p - 1] == rows[p]) order = InnerOrder::with_duplicates;
    }
  return order;
}

/// Adds entries of the same row that are adjacent in a column.
void add_duplicates(Sparse& A) {
  Index* const rows = A.innerIndexPtr();
  double* const values = A.valuePtr();
  Index n_kept = 0, begin = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    const Index end = A.outerIndexPtr()[j + 1], first = n_kept;
    for (Index p = begin; p < end; ++p) {
      if (n_kept > first && rows[n_kept - 1] == rows[p]) {
        values[n_kept - 1] += values[p];
      } else {
        rows[n_kept] = rows[p];
        values[n_kept++] = values[p];
      }
    }
    A.outerIndexPtr()[j + 1] = n_kept;
    begin = end;
  }
  A.resizeNonZeros(n_kept);
}

template <int StorageOrder>
void check_indices(const Eigen::SparseMatrix<double, StorageOrder>& A, const RejectFile& refuse) {
  const char* const outer = StorageOrder == Eigen::ColMajor ? "column" : "row";
  const char* const inner = StorageOrder == Eigen::ColMajor ? "row" : "column";
  const Index* const begin = A.outerIndexPtr();
  const Index n_outer = static_cast<Index>(A.outerSize()), n_inner = static_cast<Index>(A.innerSize());
  const auto n_entries = static_cast<Index>(A.data().size());
  if (begin[0] != 0 || begin[n_outer] != n_entries)
    refuse("the positions of the entries of the " + std::string(outer) + "s run from " +
           std::to_string(begin[0]) + " to " + std::to_string(begin[n_outer]) + ", but the matrix has " +
           std::to_string(n_entries) + " entries.");
  for (Index j = 0; j < n_outer; ++j)
    if (begin[j] > begin[j + 1])
      refuse("the entries of " + std::string(outer) + " " + std::to_string(j) +
             " (counted from zero) begin at " + std::to_string(begin[j]) + " and end at " +
             std::to_string(begin[j + 1]) + ", which lies before the beginning.");
  for (Index p = 0; p < n_entries; ++p)
    if (const Index i = A.innerIndexPtr()[p]; i < 0 || i >= n_inner)
      refuse("the " + std::string(inner) + " of entry " + std::to_string(p) + " is " + std::to_string(i) +
             ", which lies outside 0 ... " + std::to_string(n_inner - 1) + ".");
}

}  // namespace

void sort_and_add(Sparse& A) {
  InnerOrder order = inner_order(A);
  if (order == InnerOrder::unsorted) {
    A = Sparse(A.transpose()).transpose();  // each transposition sorts in linear time
    order = InnerOrder::with_duplicates;
  }
  if (order == InnerOrder::with_duplicates) add_duplicates(A);
}

void check_dense_size(std::int64_t n_rows, std::int64_t n_columns, const RejectFile& refuse) {
  if (n_rows < 0 || n_columns < 0 || n_rows >= largest_index || n_columns >= largest_index)
    refuse("the file states that the matrix is " + shape_text(n_rows, n_columns) + "; possible are 0 ... " +
           std::to_string(largest_index - 1) + " rows and columns.");
}

void check_sparse_size(std::int64_t n_rows, std::int64_t n_columns, std::int64_t n_entries,
                       const RejectFile& refuse) {
  check_dense_size(n_rows, n_columns, refuse);
  if (n_entries < 0 || n_entries > largest_index)
    refuse("the matrix has " + std::to_string(n_entries) + " entries; possible are 0 ... 2^31 - 1.");
  if (!is_plausible(std::max(n_rows, n_columns), n_entries))
    refuse("the file states that the matrix is " + shape_text(n_rows, n_columns) + " with " +
           std::to_string(n_entries) +
           " entries. A matrix of more than 10000000 rows or columns must have at least one entry for every "
           "100 of them: the sizes are probably wrong.");
}

template <int StorageOrder>
Sparse by_columns(Eigen::SparseMatrix<double, StorageOrder>&& matrix, const RejectFile& refuse) {
  check_indices(matrix, refuse);
  Sparse A;
  if constexpr (StorageOrder == Eigen::ColMajor)
    A.swap(matrix);
  else
    A = matrix;
  sort_and_add(A);
  return A;
}
template Sparse by_columns<Eigen::ColMajor>(Sparse&&, const RejectFile&);
template Sparse by_columns<Eigen::RowMajor>(Eigen::SparseMatrix<double, Eigen::RowMajor>&&,
                                            const RejectFile&);

namespace {

std::string first_non_finite_of(const Sparse& A, int first) {
  const double* const end = A.valuePtr() + A.nonZeros();
  if (std::all_of(A.valuePtr(), end, [](double value) { return std::isfinite(value); })) return "";
  for (Index j = 0; j < A.cols(); ++j)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry)
      if (!std::isfinite(entry.value()))
        return "row " + std::to_string(entry.row() + first) + ", column " + std::to_string(j + first) +
               " is " + number_text(entry.value());
  return "";
}

}  // namespace

std::string first_non_finite(const FileMatrix& matrix, int first) {
  std::string entry = first_non_finite_of(matrix.real, first);
  return entry.empty() ? first_non_finite_of(matrix.imaginary, first) : entry;
}

void check_finite(const FileMatrix& matrix, int first, const RejectFile& refuse) {
  const std::string entry = first_non_finite(matrix, first);
  if (entry.empty()) return;
  refuse("the value in " + entry + " (counted from " + (first == 0 ? "zero" : "one") +
         "). Every entry must be finite: check the element that produces this entry.");
}

void check_finite_to_write(const Sparse& matrix, const char* format) {
  for (Index j = 0; j < matrix.outerSize(); ++j)
    for (Sparse::InnerIterator entry(matrix, j); entry; ++entry)
      if (!std::isfinite(entry.value()))
        throw InvalidInput("The matrix to be written holds " + number_text(entry.value()) + " in row " +
                           std::to_string(entry.row()) + ", column " + std::to_string(j) +
                           " (counted from zero). A " + format + " can contain finite numbers only.");
}

}  // namespace halfdof::internal
