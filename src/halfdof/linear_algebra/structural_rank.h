#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <optional>
#include <vector>

namespace halfdof {

/// Some equations (rows) and unknowns (columns) of a matrix, both ascending.
struct PatternPart {
  std::vector<Index> rows, columns;
};

/**
 * The coarse decomposition of Dulmage and Mendelsohn (1958) of the pattern of a matrix A, from a maximum
 * matching of rows and columns that share an entry (Duff 1981; Davis, BTF; Pothen and Fan 1990): permuted,
 * @f[ A = \begin{bmatrix} A_u & * & * \\ & A_s & * \\ & & A_o \end{bmatrix}, @f]
 * where A_u has more columns than rows, A_o more rows than columns, and A_s is square. It speaks of positions
 * of nonzero entries alone, so that whatever their values:
 * - the columns of A_u have entries in the rows of A_u only: unknowns that too few equations hold;
 * - the rows of A_o have entries in the columns of A_o only: equations that hold too few unknowns;
 * - the rank of A is at most `rank`, and equal to it for almost all values of the entries.
 */
struct DulmageMendelsohn {
  Index rank = 0;  ///< the structural rank
  /// A_u and A_o by connected parts. Each is deficient of its own: |columns| > |rows| in the one, |rows| >
  /// |columns| in the other. An empty column is a part of its own without rows, an empty row one without
  /// columns.
  std::vector<PatternPart> underdetermined, overdetermined;
  /// Ascending: A.rows() - rank and A.cols() - rank of them. For almost all values, entries at as many pairs
  /// of them make the rank of a square A full.
  std::vector<Index> unmatched_rows, unmatched_columns;
};

/// Numbering: that of A; exact zeros that are stored do not count. Nothing where the search for a maximum
/// matching was given up: it may take as many passes over A as the rank is deficient.
std::optional<DulmageMendelsohn> dulmage_mendelsohn(const Eigen::SparseMatrix<double>& A);

}  // namespace halfdof
