// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/types.h>

#include <boost/test/unit_test.hpp>

#include "scratch_folder.h"
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * What tests of readers of matrices share.
 */
namespace halfdof::test {

/// Row by row, so that it reads as on paper.
inline MultiVector by_rows(Index n_rows, Index n_columns, const std::vector<double>& values) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      values.data(), n_rows, n_columns);
}

inline bool equal(const MultiVector& A, const MultiVector& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && (A.array() == B.array()).all();
}

/// Whether a matrix is compressed, its rows ascend in each column, and its values are those of `expected`.
inline bool is_equal(const Eigen::SparseMatrix<double>& A, const MultiVector& expected) {
  if (!A.isCompressed()) return false;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index p = A.outerIndexPtr()[j] + 1; p < A.outerIndexPtr()[j + 1]; ++p)
      if (A.innerIndexPtr()[p - 1] >= A.innerIndexPtr()[p]) return false;
  return equal(MultiVector(A), expected);
}

/// Reads every beginning of a text as a file. Each has to be refused as input, or check(its length, result).
template <class Read, class Check>
void read_beginnings(const std::string& name, const std::string& text, const Read& read, const Check& check) {
  const ScratchFolder folder;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::filesystem::path file = folder.file(name, std::string_view(text).substr(0, length));
    try {
      const auto result = read(file);
      BOOST_TEST_CONTEXT("the first " << length << " bytes") check(length, result);
    } catch (const InvalidInput&) {
    }
  }
}

/// Whether the first `length` bytes of a text end within its last line that is not blank.
inline bool ends_in_last_line(const std::string& text, std::size_t length) {
  const std::size_t end = text.find_last_not_of("\r\n");
  return length > text.find_last_of('\n', end) + 1;
}

}  // namespace halfdof::test
