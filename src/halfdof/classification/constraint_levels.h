#pragma once

#include <halfdof/assembled/given_motion.h>

#include <vector>

namespace halfdof {

/// Constraints @f$ A_1 \dot q + A_2 q = b(t) @f$, every row in units of its own. Shapes: rows x DoFs.
struct ConstraintRows {
  Eigen::SparseMatrix<double> A_1, A_2;
  TimeCombination b;  ///< of some u(t)
};

/**
 * All that constraints imply. A row, or a combination of rows, in which no rate is left is a constraint on
 * displacements; with its derivative, rows on rates may become dependent, and what then is left of them
 * is a hidden constraint on displacements again, until nothing new arises:
 * @f[ q = T \tilde q + o(t), \qquad A q = A\,o \text{ for all displacements } \tilde q, \qquad
 *     \dot q_b + R \tilde q = r(t), \qquad T = [\,T_a\ T_b\,],\ T^T T = I. @f]
 * Motions that the constraints allow have the directions T_a: those of the rates where the rates q_b are
 * given.
 */
struct ConstraintLevels {
  Eigen::SparseMatrix<double> T;  ///< DoFs x coordinates
  std::vector<Index> places;      ///< DoFs at whose places the coordinates stand, ascending
  std::vector<Index> bound;       ///< the coordinates q_b
  TimeCombination offset;         ///< o

  Eigen::SparseMatrix<double> R;  ///< bound x coordinates
  TimeCombination r;

  Index n_position = 0;  ///< independent constraints on displacements, hidden ones too
  Index n_hidden = 0;    ///< those of them that differentiated others leave of rows on rates

  /// Combinations of the given rows, each taken with a norm of one, that with their derivatives say all.
  Eigen::SparseMatrix<double> independent;  ///< n_position + bound x rows
  /// The others, which say nothing new, and what they leave of b: zero unless they contradict.
  Eigen::SparseMatrix<double> redundant;  ///< redundant x rows
  TimeCombination contradiction;
};

/// The norm of each row: of A_1 where it has rates, otherwise of A_2; one if both are zero.
Vector row_sizes(const ConstraintRows& rows);

/**
 * Resolves constraints on DoFs that are coordinates T_0 of some more. Every rank is decided by local_basis();
 * rows are scaled to norms of one before.
 *
 * @param T_0 orthonormal columns. Shape: DoFs x coordinates @param places of its columns, ascending
 * @throws AmbiguousRank
 */
ConstraintLevels constraint_levels(ConstraintRows rows, const Eigen::SparseMatrix<double>& T_0,
                                   std::vector<Index> places, const KernelOptions& options = {});

}  // namespace halfdof
