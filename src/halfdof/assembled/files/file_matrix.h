// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Eigen/SparseCore>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace halfdof::internal {

/// Node and component of a degree of freedom, as finite element programs number them.
struct FileDoF {
  std::int64_t node;  ///< negative: a node that the program added
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

/// A matrix as a file holds it, and the degrees of freedom that its rows belong to.
struct FileMatrix {
  std::string name;                       ///< as the file says; empty: it has none
  Eigen::SparseMatrix<double> real;       ///< compressed by columns, rows ascending, repeated entries added
                                          ///< in the order of the file, listed zeros kept
  Eigen::SparseMatrix<double> imaginary;  ///< 0 x 0 if the matrix is real, else the size of `real`
  /// Node and component of each row, in the order of the rows; empty if the file does not say.
  std::vector<FileDoF> rows, columns;  ///< columns empty: as the rows

  bool is_complex() const { return imaginary.size() > 0; }
  /// Returns real + i imaginary, with the entries of both. Precondition: is_complex()
  Eigen::SparseMatrix<std::complex<double>> complex() const {
    const std::complex<double> i(0, 1);
    return real.cast<std::complex<double>>() + i * imaginary.cast<std::complex<double>>();
  }
};

}  // namespace halfdof::internal
