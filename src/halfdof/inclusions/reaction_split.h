// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/delassus.h>

#include <vector>

namespace halfdof::internal {

/// A response is taken for a rounding error if it is smaller than this, relative to its lower bound or to the
/// terms of which it is the sum.
constexpr double split_tolerance = 1e-10;

/**
 * Splits reactions, one kind of DoFs after the other. V and U are bases of the reactions and of the motions
 * that no kind has decided yet; decide() takes the matrix P = U^T L V of the responses at the level of a
 * kind. A column whose diagonal entry is at most `tolerance` times a given bound has no response; the others
 * are scaled to a unit diagonal, and eigenvalues (singular values, if P is unsymmetric) below `tolerance`
 * times the largest count as zero. The bounds make the decision independent of units: for a symmetric
 * definite block A, the entry h^T A^{-1} h is never below (h^T h)^2 / h^T A h.
 */
class ReactionSplitter {
 public:
  ReactionSplitter(Index n_directions, Symmetry symmetry, double tolerance = split_tolerance);

  /// V, the basis of the undecided reactions. Shape: m x p, with p decreasing from kind to kind.
  const MultiVector& reactions() const { return V_; }
  /// U, the basis of the undecided motions; equal to V if P is symmetric.
  const MultiVector& motions() const { return U_; }
  bool is_finished() const { return V_.cols() == 0; }

  /// Decides the reactions that move DoFs of a kind. @param P p x p @param bounds p entries
  void decide(DoFKind kind, const MultiVector& P, const Vector& bounds);

  ReactionSplit finish();

 private:
  struct Kernel;
  Kernel kernel(const MultiVector& Q) const;
  std::vector<Index> directions_in(Index column) const;

  Symmetry symmetry_;
  double tolerance_;
  MultiVector V_, U_;
  Vector size_;  ///< for each direction, the reaction with a unit response at its first kind
  ReactionSplit split_;
};

/// Returns the rank of a matrix with a positive diagonal, after scaling to a unit diagonal as in
/// ReactionSplitter.
Index scaled_rank(const MultiVector& W, double tolerance = 1e-10);

}  // namespace halfdof::internal
