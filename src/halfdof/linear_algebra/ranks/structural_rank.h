// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <optional>
#include <vector>

namespace halfdof::internal {

/// Numbers of some equations (rows) and unknowns (columns) of a matrix, in ascending order.
struct PatternPart {
  std::vector<Index> rows, columns;
};

/**
 * The coarse decomposition of Dulmage and Mendelsohn (1958) of the pattern of a matrix A, from a maximum
 * matching of rows and columns that share an entry (Duff 1981; Davis, BTF; Pothen and Fan 1990): permuted,
 * @f[ A = \begin{bmatrix} A_u & * & * \\ & A_s & * \\ & & A_o \end{bmatrix}, @f]
 * where A_u has more columns than rows, A_o more rows than columns, and A_s is square. The decomposition
 * depends only on the positions of nonzero entries. For all values of these entries:
 * - the columns of A_u have entries only in the rows of A_u, which are too few equations for these unknowns;
 * - the rows of A_o have entries only in the columns of A_o, which are too few unknowns for these equations;
 * - the rank of A is at most `rank`, and equal to it for almost all values of the entries.
 * The function cs_dmperm of CXSparse computes the coarse decomposition as well, but does not divide A_u and
 * A_o into connected parts. Moreover, its search for a matching has no limit, so that its time grows with the
 * number of entries times the rank deficiency (52 s for 300,000 entries and a deficiency of 50,000, where the
 * limited search of BTF ends after 0.2 s).
 */
struct DulmageMendelsohn {
  Index rank = 0;  ///< the structural rank
  /// The connected parts of A_u and of A_o. Each part is rank-deficient: an underdetermined part has more
  /// columns than rows, an overdetermined part more rows than columns. An empty column of A is an
  /// underdetermined part without rows, an empty row an overdetermined part without columns.
  std::vector<PatternPart> underdetermined, overdetermined;
  /// The A.rows() - rank unmatched rows and the A.cols() - rank unmatched columns, ascending. If A is square
  /// and each unmatched row is paired with an unmatched column in any order, additional entries at these
  /// pairs make the rank full for almost all values.
  std::vector<Index> unmatched_rows, unmatched_columns;
};

/// Computes the Dulmage-Mendelsohn decomposition of a matrix, in the numbering of A. Stored zeros do not
/// count as entries. No value is returned if the search for a maximum matching exceeded its limit of work; a
/// complete search may read all entries as many times as the rank deficiency.
std::optional<DulmageMendelsohn> dulmage_mendelsohn(const Eigen::SparseMatrix<double>& A);

}  // namespace halfdof::internal
