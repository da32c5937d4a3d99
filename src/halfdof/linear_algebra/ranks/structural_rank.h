// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <optional>
#include <vector>

namespace halfdof::internal {

/// Some equations (rows) and unknowns (columns) of a matrix, both ascending.
struct PatternPart {
  std::vector<Index> rows, columns;
};

/**
 * The coarse decomposition of Dulmage and Mendelsohn (1958) of the pattern of a matrix A, from a maximum
 * matching of rows and columns that share an entry (Duff 1981; Davis, BTF; Pothen and Fan 1990): permuted,
 * @f[ A = \begin{bmatrix} A_u & * & * \\ & A_s & * \\ & & A_o \end{bmatrix}, @f]
 * where A_u has more columns than rows, A_o more rows than columns, and A_s is square. The decomposition
 * depends only on the positions of nonzero entries. For all values of these entries:
 * - the columns of A_u have entries in the rows of A_u only: too few equations for these unknowns;
 * - the rows of A_o have entries in the columns of A_o only: too many equations for these unknowns;
 * - the rank of A is at most `rank`, and equal to it for almost all values of the entries.
 *
 * The function cs_dmperm of CXSparse computes the coarse decomposition as well, but its search for a matching
 * has no limit, so that its time grows with the number of entries times the rank deficiency (52 s for 300,000
 * entries and a deficiency of 50,000, where the limited search of BTF ends after 0.2 s), and its result has
 * no connected parts.
 */
struct DulmageMendelsohn {
  Index rank = 0;  ///< the structural rank
  /// The connected parts of A_u and of A_o. Each part is rank-deficient: an underdetermined part has more
  /// columns than rows, an overdetermined part more rows than columns. An empty column of A is an
  /// underdetermined part without rows, an empty row an overdetermined part without columns.
  std::vector<PatternPart> underdetermined, overdetermined;
  /// The unmatched rows and columns, ascending: A.rows() - rank and A.cols() - rank of them. If A is square
  /// and they are paired in any order, additional entries at these pairs make the rank full for almost all
  /// values.
  std::vector<Index> unmatched_rows, unmatched_columns;
};

/// Computes the decomposition, in the numbering of A; stored zeros do not count as entries. No value if the
/// search for a maximum matching was given up, because its passes over A may be as many as the rank
/// deficiency.
std::optional<DulmageMendelsohn> dulmage_mendelsohn(const Eigen::SparseMatrix<double>& A);

}  // namespace halfdof::internal
