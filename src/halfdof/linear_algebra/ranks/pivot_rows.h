// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <vector>

namespace halfdof::internal {

/// The division of the columns of a matrix into linearly independent and dependent columns, and rows in which
/// the independent columns form a regular square matrix.
struct PivotRows {
  std::vector<Index> rows;       ///< the pivot row of each independent column
  std::vector<Index> columns;    ///< the independent columns
  std::vector<Index> dependent;  ///< the other columns, ascending
};

/**
 * Finds independent columns and their pivot rows by a sparse LU factorization with partial pivoting (Davis
 * 2004, UMFPACK). A column counts as dependent if its pivot is at most 1e-10 times the norm of the column.
 *
 * @param A n x m, m <= n, with finite entries
 * @throws SingularMatrix if UMFPACK fails
 */
PivotRows pivot_rows(Eigen::SparseMatrix<double> A);

}  // namespace halfdof::internal
