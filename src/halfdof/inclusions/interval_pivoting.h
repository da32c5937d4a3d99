#pragma once

#include <halfdof/inclusions/gauss_seidel.h>

#include <Eigen/LU>

namespace halfdof {

/**
 * Block principal pivoting for w = W r + b where every reaction has an interval (Judice and Pires 1994):
 * guess which inclusions are free (w = 0) and which are at their lower or upper bound, solve
 * @f[ W_{FF} r_F = -(b_F + W_{FA} r_A), \qquad w_A = b_A + W_{AF} r_F + W_{AA} r_A, @f]
 * and exchange all those that turn out wrong (r outside of its bounds, or w of the wrong sign): a semismooth
 * Newton method for the natural map. Where exchanges in blocks make no progress, as they may for stiff W, the
 * wrong ones are driven to their places one at a time (Cottle and Dantzig 1968, with bounds): r_i moves
 * towards w_i = 0, the free ones follow, and whoever meets a bound or the end of its rate on the way changes
 * sides. That ends after finitely many changes for every P-matrix W, symmetric or not: positive definite ones
 * are. However stiff W is, each system is one backward stable factorization; a guess that proves right with
 * the factors of the last call costs one pair of triangular solves.
 *
 * A singular W (parallel directions) is met by proximal steps, W + delta diag(W) and b - delta diag(W) r_k,
 * which end after finitely many, too (Rockafellar 1976; Ferris 1991); the rates are unique then, the
 * reactions need not be.
 */
class IntervalPivoting {
 public:
  /// @param problem has_only_intervals(), and a matrix or a PrincipalSolver, with which no proximal steps are
  /// made
  explicit IntervalPivoting(const OneStepProblem& problem);

  /// Starts from what the inclusions did before the step.
  void guess_from_states(const LawsAtTime& laws);
  /// Starts from reactions at their bounds, or between.
  void guess_from_reactions(const LawsAtTime& laws, const Vector& r);

  /// @return iterations are linear systems @param r on entry where proximal steps start, if they are needed
  IterationResult iterate(const LawsAtTime& laws, const Vector& b, double tolerance, Index max_systems,
                          Vector& r, Vector& w);

 private:
  enum class Side : char { lower, free, upper };

  void read_bounds(const LawsAtTime& laws);
  void factorize();
  bool factorize_shifted();
  void solve(Eigen::Ref<Vector> right) const;
  /// r -= W at, over the bounds of those that are not free.
  void subtract_bounds(Vector& r);
  /// dr_i of a unit moves others by W(:, i). @return in dw_
  const Vector& column(Index i);
  /// Sets r_A to the bounds and solves for r_F. @return whether r_F stays within its bounds
  bool solve_free(const Vector& b, Vector& r);
  /// One step of iterative refinement, where w_F should vanish.
  void refine(const Vector& w, Vector& r);
  /// @return how many inclusions are on a wrong side; correct_ holds the right ones
  Index find_wrong(const Vector& r, const Vector& w);
  /// The rate that the proximal step sees.
  double shifted_rate(Index i, const Vector& r, const Vector& w) const;
  bool is_right(Index i, double rate) const;
  /// Moves the anchor of the next proximal step to r, and on along the last step to the first bound, unless
  /// d^T w >= 0 comes before. (Of a symmetric W, r^T W r / 2 + b^T r falls on the way.)
  void advance_anchor(const Vector& r, const Vector& w);

  /// What stops the reaction that is driven, and when.
  struct Event {
    double length;
    Index inclusion;
    Side side;  ///< the one that it changes to
  };
  /// Drives all that are wrong to their places. @return how many systems that took; fewer than needed if
  /// stuck
  Index drive_all(const Vector& b, Index max_systems, Vector& r, Vector& w);
  Index drive(Index i, Index max_systems, Vector& r, Vector& w);
  void move_free(Index i, double direction);
  Event first_event(Index i, double direction, const Vector& r, const Vector& w) const;

  const OneStepProblem& problem_;
  Vector lower_, upper_;
  std::vector<Side> side_, correct_;
  std::vector<Index> free_, factorized_;  ///< in ascending order
  bool has_factors_ = false;
  double delta_ = 0, factorized_delta_ = 0;
  Vector anchor_;  ///< r_k of the proximal steps
  Vector right_;
  std::vector<bool> in_place_;  ///< while driving: who obeys its law already
  Vector dr_, dw_;              ///< per unit of the reaction that is driven
  MultiVector factor_;          ///< Cholesky factor in its corner
  Eigen::PartialPivLU<MultiVector> lu_;
};

}  // namespace halfdof
