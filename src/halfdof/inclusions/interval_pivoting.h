// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/gauss_seidel.h>

#include <Eigen/LU>

namespace halfdof::internal {

/**
 * Block principal pivoting for the complementarity problem w = W r + b with bounds of all reactions (Judice
 * and Pires 1994). The method guesses the set F of inclusions that are free (w = 0) and the set A of
 * inclusions whose reactions are at their lower or upper bounds, solves
 * @f[ W_{FF} r_F = -(b_F + W_{FA} r_A), \qquad w_A = b_A + W_{AF} r_F + W_{AA} r_A, @f]
 * and moves all inclusions on a wrong side (r outside of its bounds, or w of the wrong sign) to the other set
 * at the same time, which is a semismooth Newton method for the natural map. If such block exchanges make no
 * progress, as may happen for ill-conditioned W, the wrong inclusions are corrected one at a time (Cottle and
 * Dantzig 1968, with bounds): r_i is changed until w_i = 0 while w_F = 0 is maintained, and each inclusion
 * whose r reaches a bound or whose w reaches zero during this change is moved to the other set. The
 * corrections end after finitely many changes for every P-matrix W, symmetric or not; positive definite
 * matrices are P-matrices. Each linear system is solved by a backward stable factorization. If the guess is
 * correct and equals the free set of the last call, one pair of triangular solves with the old factors is
 * enough.
 *
 * If W is singular (linearly dependent directions), the method makes proximal steps with W + delta diag(W)
 * and b - delta diag(W) r_k, where r_k are the reactions of the last step; also these steps end after
 * finitely many (Rockafellar 1976; Ferris 1991). The rates are unique then, but the reactions need not be
 * unique.
 */
class IntervalPivoting {
 public:
  /// @param problem A problem with interval laws only, and with a matrix W or a PrincipalSolver. With a
  /// PrincipalSolver no proximal steps are made, so that W must be regular.
  explicit IntervalPivoting(const OneStepProblem& problem);

  /// Guesses the sides of all inclusions from their contact states before the step.
  void guess_from_states(const LawsAtTime& laws);
  /// Guesses the sides of all inclusions from reactions: an inclusion is free if its reaction is between its
  /// bounds.
  void guess_from_reactions(const LawsAtTime& laws, const Vector& r);

  /// Solves w = W r + b with the laws. @return the residual; n_iterations is the number of linear systems
  /// @param r on entry the reactions from which the first proximal step starts, if proximal steps are needed
  IterationResult iterate(const LawsAtTime& laws, const Vector& b, double tolerance, Index max_systems,
                          Vector& r, Vector& w);

 private:
  /// The side of an inclusion: its reaction is at the lower bound, free between the bounds, or at the upper
  /// bound.
  enum class Side : char { lower, free, upper };

  void read_bounds(const LawsAtTime& laws);
  void factorize();
  bool factorize_shifted();
  void solve(Eigen::Ref<Vector> rhs) const;
  /// Computes r -= W r_A, where r_A contains the reactions of the inclusions at a bound, and zeros otherwise.
  void subtract_response_of_bounds(Vector& r);
  /// Returns the column W(:, i), the response to a unit change of r_i. The column is stored in dw_.
  const Vector& column(Index i);
  /// Sets r_A to the bounds and solves for r_F. @return whether r_F lies within its bounds
  bool solve_free(const Vector& b, Vector& r);
  /// Makes one step of iterative refinement of the solution of w_F = 0.
  void refine(const Vector& w, Vector& r);
  /// Sets correct_ to the side on which each inclusion should be. @return the number of inclusions on a wrong
  /// side
  Index find_wrong_sides(const Vector& r, const Vector& w);
  /// Returns the rate w_i of the problem of the proximal step, w_i + delta W_ii (r_i - (r_k)_i).
  double shifted_rate(Index i, const Vector& r, const Vector& w) const;
  bool is_on_correct_side(Index i, double rate) const;
  /// Sets the reactions r_k from which the next proximal step starts: r, or the first point at a bound in the
  /// direction d = r - r_k of the last step, unless d^T w >= 0 before this point. (For a symmetric W, r^T W r
  /// / 2 + b^T r decreases in this direction.)
  void advance_anchor(const Vector& r, const Vector& w);

  /// The first change of a side while the reaction of one inclusion is changed continuously.
  struct PivotEvent {
    double length;    ///< change of the driving reaction up to this event
    Index inclusion;  ///< inclusion whose side changes
    Side side;        ///< new side of the inclusion
  };
  /// Corrects all inclusions on a wrong side, one at a time. @return the number of linear systems solved
  Index pivot_one_by_one(const Vector& b, Index max_systems, Vector& r, Vector& w);
  Index drive_to_correct_side(Index i, Index max_systems, Vector& r, Vector& w);
  void compute_free_response(Index i, double direction);
  PivotEvent first_event(Index i, double direction, const Vector& r, const Vector& w) const;

  const OneStepProblem& problem_;
  Vector lower_, upper_;
  std::vector<Side> side_, correct_;
  std::vector<Index> free_, factorized_;  ///< free inclusions: now, and when factorized; ascending
  bool has_factors_ = false;
  double delta_ = 0, factorized_delta_ = 0;
  Vector anchor_;  ///< reactions r_k from which a proximal step starts
  Vector rhs_;
  std::vector<bool> is_satisfied_;  ///< in pivot_one_by_one(): whether the law of the inclusion is satisfied
  Vector dr_, dw_;                  ///< changes of r and w per unit change of the driving reaction
  MultiVector factor_;              ///< Cholesky factor in the leading block
  Eigen::PartialPivLU<MultiVector> lu_;
};

}  // namespace halfdof::internal
