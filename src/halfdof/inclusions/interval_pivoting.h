// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/gauss_seidel.h>

#include <Eigen/LU>

namespace halfdof::internal {

/**
 * Block principal pivoting for w = W r + b where every reaction has an interval (Judice and Pires 1994). The
 * method guesses which inclusions are free (w = 0) and which are at their lower or upper bound, solves
 * @f[ W_{FF} r_F = -(b_F + W_{FA} r_A), \qquad w_A = b_A + W_{AF} r_F + W_{AA} r_A, @f]
 * and exchanges all wrong inclusions together (r outside of its bounds, or w of the wrong sign): a semismooth
 * Newton method for the natural map. If exchanges in blocks make no progress, as may happen for stiff W, the
 * wrong inclusions are corrected one at a time (Cottle and Dantzig 1968, with bounds): r_i moves towards w_i
 * = 0, the free reactions follow, and each inclusion whose r reaches a bound or whose w reaches zero on the
 * way changes its side. This ends after finitely many changes for every P-matrix W, symmetric or not;
 * positive definite matrices are P-matrices. However stiff W is, each system is solved by one backward stable
 * factorization; if the guess equals the free set of the last call and is right, one pair of triangular
 * solves with the old factors is enough.
 *
 * If W is singular (parallel directions), proximal steps are made, with W + delta diag(W) and b - delta
 * diag(W) r_k, which also end after finitely many steps (Rockafellar 1976; Ferris 1991). The rates are unique
 * then; the reactions need not be unique.
 */
class IntervalPivoting {
 public:
  /// @param problem A problem that has only intervals, and a matrix or a PrincipalSolver; with a
  /// PrincipalSolver no proximal steps are made
  explicit IntervalPivoting(const OneStepProblem& problem);

  /// Guesses the sides from the states of the inclusions before the step.
  void guess_from_states(const LawsAtTime& laws);
  /// Guesses the sides from reactions, which lie at their bounds or between.
  void guess_from_reactions(const LawsAtTime& laws, const Vector& r);

  /// Solves w = W r + b with the laws. @return n_iterations counts linear systems @param r on entry the
  /// anchor of the first proximal step, if proximal steps are needed
  IterationResult iterate(const LawsAtTime& laws, const Vector& b, double tolerance, Index max_systems,
                          Vector& r, Vector& w);

 private:
  enum class Side : char { lower, free, upper };

  void read_bounds(const LawsAtTime& laws);
  void factorize();
  bool factorize_shifted();
  void solve(Eigen::Ref<Vector> rhs) const;
  /// Computes r -= W r_A, with r_A the bounds at which inclusions are that are not free.
  void subtract_bounds(Vector& r);
  /// Returns W(:, i), the response to a unit change of r_i; it is stored in dw_.
  const Vector& column(Index i);
  /// Sets r_A to the bounds and solves for r_F. @return whether r_F lies within its bounds
  bool solve_free(const Vector& b, Vector& r);
  /// One step of iterative refinement of w_F = 0.
  void refine(const Vector& w, Vector& r);
  /// Sets correct_ to the side on which each inclusion should be. @return the number of inclusions on a wrong
  /// side
  Index find_wrong(const Vector& r, const Vector& w);
  /// The rate of the shifted problem of the proximal step.
  double shifted_rate(Index i, const Vector& r, const Vector& w) const;
  bool is_on_correct_side(Index i, double rate) const;
  /// Moves the anchor of the next proximal step to r, and then further in the direction d of the last step up
  /// to the first bound, unless d^T w >= 0 is reached before. (For a symmetric W, r^T W r / 2 + b^T r
  /// decreases on the way.)
  void advance_anchor(const Vector& r, const Vector& w);

  /// The event that ends the current motion of the driven reaction.
  struct Event {
    double length;
    Index inclusion;
    Side side;  ///< new side of the inclusion
  };
  /// Drives all wrong inclusions to the correct side, one at a time. @return the number of linear systems
  /// solved; fewer than needed if stuck
  Index drive_all(const Vector& b, Index max_systems, Vector& r, Vector& w);
  Index drive(Index i, Index max_systems, Vector& r, Vector& w);
  void move_free(Index i, double direction);
  Event first_event(Index i, double direction, const Vector& r, const Vector& w) const;

  const OneStepProblem& problem_;
  Vector lower_, upper_;
  std::vector<Side> side_, correct_;
  std::vector<Index> free_, factorized_;  ///< free inclusions: now, and when factorized; ascending
  bool has_factors_ = false;
  double delta_ = 0, factorized_delta_ = 0;
  Vector anchor_;  ///< reactions r_k from which a proximal step starts
  Vector rhs_;
  std::vector<bool> is_satisfied_;  ///< in drive_all(): whether the law of the inclusion is satisfied
  Vector dr_, dw_;                  ///< changes of r and w per unit of the driven reaction
  MultiVector factor_;              ///< Cholesky factor in the leading block
  Eigen::PartialPivLU<MultiVector> lu_;
};

}  // namespace halfdof::internal
