// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Eigen/SparseCore>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace halfdof::internal {

/// The node and the component of a degree of freedom, in the numbering of finite element programs.
struct FileDoF {
  std::int64_t node;  ///< negative for a node that the finite element program added
  int component;      ///< 1 to 3: displacements, 4 to 6: rotations; 0: a scalar point
};

inline bool operator==(const FileDoF& a, const FileDoF& b) {
  return a.node == b.node && a.component == b.component;
}
inline bool operator!=(const FileDoF& a, const FileDoF& b) {
  return !(a == b);
}
inline bool operator<(const FileDoF& a, const FileDoF& b) {
  return a.node != b.node ? a.node < b.node : a.component < b.component;
}

/// A matrix that was read from a file, and the degrees of freedom to which its rows belong.
struct FileMatrix {
  std::string name;  ///< the name in the file; empty if the matrix has no name
  /// The real part, compressed by columns, with ascending rows. Repeated entries are added in the order of
  /// the file, and listed zeros are kept.
  Eigen::SparseMatrix<double> real;
  Eigen::SparseMatrix<double> imaginary;  ///< 0 x 0 if the matrix is real, otherwise of the size of `real`
  std::vector<FileDoF> rows;              ///< node and component of each row; empty if the file has no labels
  std::vector<FileDoF>
      columns;  ///< node and component of each column; empty if they are the same as of the rows

  bool is_complex() const { return imaginary.size() > 0; }
  /// Returns real + i imaginary, with the entries of both. Precondition: is_complex()
  Eigen::SparseMatrix<std::complex<double>> complex() const {
    const std::complex<double> i(0, 1);
    return real.cast<std::complex<double>>() + i * imaginary.cast<std::complex<double>>();
  }
};

}  // namespace halfdof::internal
