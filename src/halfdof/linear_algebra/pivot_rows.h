#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <vector>

namespace halfdof {

/// Rows of a matrix that make its columns a regular square matrix, and columns that depend on the others.
struct PivotRows {
  std::vector<Index> rows;       ///< of each independent column
  std::vector<Index> columns;    ///< the independent columns
  std::vector<Index> dependent;  ///< the other columns, ascending
};

/**
 * By an LU factorization with partial pivoting that stays sparse (Davis 2004, UMFPACK): columns of which less
 * than 1e-10 is left, relative to their norms, depend on those before.
 *
 * @param A finite; n rows, m <= n columns @throws SingularMatrix if UMFPACK fails
 */
PivotRows pivot_rows(Eigen::SparseMatrix<double> A);

}  // namespace halfdof
