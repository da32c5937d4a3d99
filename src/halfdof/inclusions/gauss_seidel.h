#pragma once

#include <halfdof/inclusions/one_step_problem.h>

namespace halfdof {

/// How far an iteration has come.
struct IterationResult {
  OneStepProblem::Residual residual;
  Index n_iterations = 0;
  bool has_diverged = false;  ///< reactions became infinite; what is returned is finite
  double rate = 1;            ///< by which a sweep reduced the changes at last
  bool has_given_up = false;  ///< again and again a law found no reaction for its inclusion alone
};

/**
 * The nonsmooth Gauss-Seidel method for w = W r + b (Moreau 1988; Jean 1999, section 6; for bounds: projected
 * Gauss-Seidel): one inclusion after the other gets the reaction that obeys its law exactly while all others
 * hold still,
 * @f[ W_{ii} r_i + \Big(b_i + \sum_{j \ne i} W_{ij} r_j\Big) = w_i, \qquad (w_i, r_i) \in \mathcal G_i. @f]
 * All sweeps go the same way: those forth and back in turn need twice as many. It converges for symmetric
 * positive semidefinite W and monotone laws, fast if the inclusions are weakly coupled, and in practice for
 * Coulomb friction.
 */
class GaussSeidel {
 public:
  explicit GaussSeidel(const OneStepProblem& problem);

  /// An inclusion whose reaction does not change costs nothing, as those that stay open.
  /// @param r on entry the start, on return the best iterate that was looked at
  /// @param w the corresponding W r + b
  IterationResult iterate(const LawsAtTime& laws, const Vector& b, double tolerance, Index max_sweeps,
                          Vector& r, Vector& w);

 private:
  void prepare(const LawsAtTime& laws);
  double relax(Index inclusion, const LawsAtTime& laws, Vector& r, Vector& w) const;

  const OneStepProblem& problem_;
  Vector best_;
  std::vector<Interval> bounds_;  ///< of each inclusion whose law has them
};

}  // namespace halfdof
