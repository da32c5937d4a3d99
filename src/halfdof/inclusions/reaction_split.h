// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/delassus.h>

#include <vector>

namespace halfdof::internal {

/// A response counts as zero if it is at most this fraction of its lower bound for definite matrices, and of
/// the sum of the absolute values of its terms.
constexpr double split_tolerance = 1e-10;

/**
 * Splits the space of reactions by kind of DoFs, in the order algebraic, viscous, inertial. The columns of V
 * and U are bases of the reactions and of the motions that no kind has decided yet. decide() takes the matrix
 * P = U^T L V of the responses of one kind, where L is the Delassus matrix of the kind. A column of P whose
 * diagonal entry is at most `tolerance` times a given bound counts as zero. The other columns are scaled to a
 * unit diagonal, and eigenvalues (singular values, if P is unsymmetric) below `tolerance` times the largest
 * one count as zero; their eigenvectors remain for the next kind. The bounds make the decision independent of
 * units: for a symmetric definite matrix A, the entry h^T A^{-1} h is never below (h^T h)^2 / h^T A h.
 */
class ReactionSplitter {
 public:
  ReactionSplitter(Index n_directions, Symmetry symmetry, double tolerance = split_tolerance);

  /// V, the basis of the undecided reactions. Shape: m x p, with p decreasing from kind to kind.
  const MultiVector& reactions() const { return V_; }
  /// U, the basis of the undecided motions; equal to V if P is symmetric.
  const MultiVector& motions() const { return U_; }
  bool is_finished() const { return V_.cols() == 0; }

  /// Finds the reactions that move DoFs of a kind, and removes them from the undecided reactions. @param P
  /// matrix of responses, p x p @param bounds p entries
  void decide(DoFKind kind, const MultiVector& P, const Vector& bounds);

  ReactionSplit finish();

 private:
  struct Kernel;
  Kernel kernel(const MultiVector& Q) const;
  std::vector<Index> directions_of_column(Index column) const;

  Symmetry symmetry_;
  double tolerance_;
  MultiVector V_, U_;
  Vector unit_response_reaction_;  ///< for each direction, the reaction whose energy at its first kind is one
  ReactionSplit split_;
};

/// Returns the rank of a matrix with a positive diagonal, which is scaled to a unit diagonal as in
/// ReactionSplitter.
Index scaled_rank(const MultiVector& W, double tolerance = 1e-10);

}  // namespace halfdof::internal
