// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/given_motion.h>

#include <vector>

namespace halfdof::internal {

/// Constraints @f$ A_1 \dot q + A_2 q = b(t) @f$; each row may have its own unit. Shapes: rows x DoFs.
struct ConstraintRows {
  Eigen::SparseMatrix<double> A_1, A_2;
  TimeCombination b;  ///< right sides in terms of given motions u(t)
};

/**
 * The coordinates that satisfy all constraints, including hidden ones. A row, or a combination of rows,
 * that contains no rate is a constraint on displacements. When such a constraint is differentiated, rows on
 * rates may become dependent, and their combination without rates is a hidden constraint on displacements.
 * The differentiation is repeated until no further constraint is found:
 * @f[ q = T \tilde q + o(t), \qquad A q = A\,o \text{ for all displacements } \tilde q, \qquad
 *     \dot q_b + R \tilde q = r(t), \qquad T = [\,T_a\ T_b\,],\ T^T T = I. @f]
 * The columns T_a are the directions of motions that the constraints allow. The columns T_b belong to the
 * coordinates q_b, whose rates the constraints determine.
 */
struct ConstraintLevels {
  Eigen::SparseMatrix<double> T;  ///< DoFs x coordinates
  std::vector<Index> places;      ///< DoFs whose numbers the coordinates take, ascending
  std::vector<Index> bound;       ///< the coordinates q_b
  TimeCombination offset;         ///< the offset o(t) of displacements

  Eigen::SparseMatrix<double> R;  ///< matrix R of the rates q_b', bound x coordinates
  TimeCombination r;              ///< right side r of the rates q_b'

  Index n_position = 0;  ///< number of independent constraints on displacements, hidden ones included
  Index n_hidden = 0;    ///< number of hidden ones among these: combinations of rows on rates that contain
                         ///< no rates

  /// Combinations of the given rows (each scaled to norm one) that imply all constraints, together with the
  /// derivatives of the rows.
  Eigen::SparseMatrix<double> independent;  ///< n_position + bound x rows
  /// Redundant combinations of rows, and their right sides, which are zero unless constraints contradict
  /// one another.
  Eigen::SparseMatrix<double> redundant;  ///< redundant x rows
  TimeCombination contradiction;
};

/// Returns the norm of each row: the norm of A_1 if the row contains rates, otherwise that of A_2, and one
/// if both are zero.
Vector row_sizes(const ConstraintRows& rows);

/**
 * Resolves constraints on displacements that are given by coordinates, q = T_0 q~. Every rank is decided by
 * column_compression(), after the rows are scaled to norm one.
 *
 * @param T_0 Orthonormal columns. Shape: DoFs x coordinates @param places DoFs of its columns, ascending
 * @throws AmbiguousRank
 */
ConstraintLevels constraint_levels(ConstraintRows rows, const Eigen::SparseMatrix<double>& T_0,
                                   std::vector<Index> places, const KernelOptions& options = {});

}  // namespace halfdof::internal
