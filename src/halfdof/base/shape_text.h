// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string>

namespace halfdof::internal {

/// Returns a text such as "3 x 2".
inline std::string shape_text(std::int64_t n_rows, std::int64_t n_columns) {
  return std::to_string(n_rows) + " x " + std::to_string(n_columns);
}

/// Returns the shape of a matrix of Eigen.
template <class Matrix>
std::string shape_text(const Matrix& A) {
  return shape_text(A.rows(), A.cols());
}

}  // namespace halfdof::internal
