// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <vector>

namespace halfdof::internal {

/// Rows of a matrix in which its independent columns form a regular square matrix, and the columns that
/// depend on the others.
struct PivotRows {
  std::vector<Index> rows;       ///< the pivot row of each independent column
  std::vector<Index> columns;    ///< the independent columns
  std::vector<Index> dependent;  ///< the other columns, ascending
};

/**
 * Finds pivot rows by a sparse LU factorization with partial pivoting (Davis 2004, UMFPACK). A column whose
 * pivot is at most 1e-10, relative to the norm of the column, depends on the other columns.
 *
 * @param A n x m, m <= n, with finite entries
 * @throws SingularMatrix if UMFPACK fails
 */
PivotRows pivot_rows(Eigen::SparseMatrix<double> A);

}  // namespace halfdof::internal
