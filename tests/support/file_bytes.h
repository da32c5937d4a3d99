// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/base/types.h>

#include <string>
#include <vector>

/// A dense matrix whose values are listed row by row, so that it reads as on paper.
inline halfdof::MultiVector row_by_row(halfdof::Index n_rows, halfdof::Index n_columns,
                                       const std::vector<double>& values) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      values.data(), n_rows, n_columns);
}

/// Whether a matrix is compressed, its rows ascend in each column, and its values are those of `expected`.
inline bool is_equal(const Eigen::SparseMatrix<double>& A, const halfdof::MultiVector& expected) {
  if (!A.isCompressed() || A.rows() != expected.rows() || A.cols() != expected.cols()) return false;
  for (halfdof::Index j = 0; j < A.cols(); ++j)
    for (halfdof::Index p = A.outerIndexPtr()[j] + 1; p < A.outerIndexPtr()[j + 1]; ++p)
      if (A.innerIndexPtr()[p - 1] >= A.innerIndexPtr()[p]) return false;
  return (halfdof::MultiVector(A).array() == expected.array()).all();
}

/// The bytes of a number in the opposite order of this machine's, or in its own.
template <class Number>
std::string bytes_of(Number number, bool reversed = false) {
  std::string bytes(reinterpret_cast<const char*>(&number), sizeof number);
  return reversed ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

template <class Number>
std::string bytes_of_all(const std::vector<Number>& numbers, bool reversed = false) {
  std::string bytes;
  for (const Number number : numbers)
    bytes += bytes_of(number, reversed);
  return bytes;
}
