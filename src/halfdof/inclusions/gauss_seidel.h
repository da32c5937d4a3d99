// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/one_step_problem.h>

namespace halfdof::internal {

/// The result of an iterative solver: residual, number of iterations and how the iteration ended.
struct IterationResult {
  OneStepProblem::Residual residual;
  Index n_iterations = 0;
  bool has_diverged = false;  ///< whether reactions became infinite; the returned r and w are finite
  double rate = 1;            ///< factor by which the last sweep reduced the changes of r
  bool has_given_up = false;  ///< whether the iteration ended because a law repeatedly found no reaction
};

/**
 * The nonsmooth Gauss-Seidel method for w = W r + b (Moreau 1988; Jean 1999, section 6; for bounds: projected
 * Gauss-Seidel). A sweep computes, for one inclusion after the other, the reaction that satisfies its law
 * exactly while all other reactions are held fixed,
 * @f[ W_{ii} r_i + \Big(b_i + \sum_{j \ne i} W_{ij} r_j\Big) = w_i, \qquad (w_i, r_i) \in \mathcal G_i. @f]
 * All sweeps run in the same direction; alternating forward and backward sweeps would need twice as many. The
 * method converges for symmetric positive semidefinite W and monotone laws, fast if the inclusions are weakly
 * coupled, and in practice also for Coulomb friction.
 */
class GaussSeidel {
 public:
  explicit GaussSeidel(const OneStepProblem& problem);

  /// Iterates until the residual is at most the tolerance. Only inclusions whose reaction changes, unlike
  /// open contacts, need an update of w.
  /// @param r on entry the initial guess, on return the iterate with the smallest residual that was computed
  /// @param w on return W r + b
  IterationResult iterate(const LawsAtTime& laws, const Vector& b, double tolerance, Index max_sweeps,
                          Vector& r, Vector& w);

 private:
  void prepare(const LawsAtTime& laws);
  double relax_inclusion(Index inclusion, const LawsAtTime& laws, Vector& r, Vector& w) const;

  const OneStepProblem& problem_;
  Vector best_;
  std::vector<Interval> bounds_;  ///< bounds of each inclusion with an IntervalLaw
};

}  // namespace halfdof::internal
