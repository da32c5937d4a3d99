#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/inclusions/symmetry.h>

#include <vector>

namespace halfdof {

/// What is smaller, relative to what it could be at least or is made of, is rounding.
constexpr double split_tolerance = 1e-10;

/**
 * Which kind of DoFs decides which part of the reactions. The lightest kind decides first: reactions in the
 * range of W_K move algebraic DoFs at once; of the others, those in the range of W_C on ker W_K set viscous
 * DoFs in motion at once; what is left accelerates masses through W_I. A direction that meets several kinds,
 * or shares its DoFs with others, may have parts in several of them.
 */
struct ReactionSplit {
  /// What one kind decides.
  struct Part {
    DoFKind kind;
    Index rank;                     ///< independent reactions
    bool is_monotone;               ///< whether W + W^T is positive semidefinite there
    std::vector<Index> directions;  ///< those that take part, ascending
  };

  std::vector<Part> parts;                     ///< algebraic, viscous, inertial; only those with rank > 0
  std::vector<std::vector<DoFKind>> kinds_of;  ///< of each direction, lightest first; empty: nothing moves
  std::vector<double> response;  ///< of each direction alone to a unit reaction, at its first kind
  std::vector<std::vector<Index>> dependent;  ///< directions of which only combinations are determined
  std::vector<Index> negative;                ///< directions that a reaction moves backwards

  const Part* part(DoFKind kind) const;
};

/**
 * Splits reactions kind by kind. Given the bases V of the reactions and U of the motions that no kind has
 * decided yet, decide() takes the matrix P = U^T L V of what they move at this level. A column whose diagonal
 * entry is at most `tolerance` times a given bound moves nothing; the others are scaled to a unit diagonal,
 * and eigenvalues (singular values, if P is unsymmetric) below `tolerance` times the largest count as zero.
 * The bounds make the decision independent of units: for a symmetric definite block A, the entry h^T A^{-1} h
 * is never below (h^T h)^2 / h^T A h.
 */
class ReactionSplitter {
 public:
  ReactionSplitter(Index n_directions, Symmetry symmetry, double tolerance = split_tolerance);

  /// V, what is left. Shapes: m x p, p decreasing.
  const MultiVector& reactions() const { return V_; }
  /// U; V itself where P is symmetric.
  const MultiVector& motions() const { return U_; }
  bool is_finished() const { return V_.cols() == 0; }

  /// @param P p x p @param bounds p
  void decide(DoFKind kind, const MultiVector& P, const Vector& bounds);

  ReactionSplit finish();

 private:
  struct Kernel;
  Kernel kernel(const MultiVector& Q) const;
  std::vector<Index> directions_in(Index column) const;

  Symmetry symmetry_;
  double tolerance_;
  MultiVector V_, U_;
  Vector size_;  ///< the reaction at which each direction has a unit effect at the level it first counts at
  ReactionSplit split_;
};

/// Rank of a matrix with a positive diagonal, scaled to a unit one, as above.
Index scaled_rank(const MultiVector& W, double tolerance = 1e-10);

}  // namespace halfdof
