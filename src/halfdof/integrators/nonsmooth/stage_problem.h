// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/delassus.h>
#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/nonsmooth/stage_rules.h>

#include <functional>
#include <memory>
#include <vector>

namespace halfdof::internal {

/**
 * The step length h, sigma and theta of a stage
 * @f[ P_h x = (\text{motion without } r_{n+1}) + H \gamma\, r_{n+1}, \qquad
 *     P_h = \sigma^2 M + \sigma C + K, \qquad y_{n+1} = y_n + \delta(x)/\theta, @f]
 * with gamma = theta for blended reactions and sigma theta h for impulses. The laws are then enforced on
 * @f[ g_{n+1} = b + \tfrac1\theta W_h \gamma r, \quad
 *     (g_{n+1} - g_n)/h = b + \tfrac1{\theta h} W_h \gamma r, \quad
 *     w_{n+1} = b + \tfrac\sigma\theta W_h \gamma r. \qquad (1) @f]
 */
struct StageWeights {
  double step;   ///< h [s]
  double sigma;  ///< [1/s]
  double theta;
};

/**
 * The problem (1) of the laws for all steps of one length. If all laws are positively homogeneous, so that
 * the unit of w is arbitrary, the rows are scaled so that the problem is symmetric like W_h for any
 * combination of rules. Inclusions that nothing moves are omitted.
 */
class StageProblem {
 public:
  /// @param rules one for each direction
  /// @param principal solver for principal submatrices of W_h, used in pivoting if W_h is an operator
  StageProblem(const std::vector<Inclusion>& acting, const InclusionOutcome& outcome,
               const std::vector<DirectionRule>& rules, StepDelassus delassus, const StageWeights& weights,
               std::shared_ptr<PrincipalSolver> principal = nullptr);

  StageProblem(const StageProblem&) = delete;
  StageProblem& operator=(const StageProblem&) = delete;

  /// See OneStepSolver::largest_residual().
  double largest_residual() const { return solver_->largest_residual(); }
  const StepDelassus& delassus() const { return delassus_; }
  /// See OneStepSolver::is_weakly_coupled().
  bool is_weakly_coupled() const { return solver_->is_weakly_coupled(); }
  /// gamma of all directions, zero for those that nothing moves. Shape: m.
  const Vector& column_weights() const { return column_weights_; }

  /// The times at which a step begins and ends [s].
  struct Times {
    double begin, end;
  };
  /**
   * Solves the laws of a step. Thresholds and coefficients are those at the end of the step, except for
   * friction and contacts on masses, whose reactions act throughout the step: they have those in the middle.
   *
   * @param b the terms b of the equations (1) of StageWeights: one entry for each direction, in the unit of
   * the gap or rate on which its law is enforced. Shape: m
   * @param r on entry the reactions of the last step, on return the new ones; entries of inclusions that
   * nothing moves do not change
   * @param met on return the gaps and rates of (1) on which the laws were enforced
   * @param contacts for each acting inclusion its state (open, closed, stick or slip): on entry before the
   * step, on return after the step
   * @param is_active for each acting inclusion whether its law is enforced in this step; otherwise its
   * reaction is zero and it counts as open
   * @param rounding returns the rounding errors of b; called if laws do not hold to the tolerance. Shape: m
   */
  void solve(const Times& times, const Vector& b, const std::vector<bool>& is_active, Vector& r, Vector& met,
             std::vector<ContactState>& contacts, const std::function<Vector()>& rounding);

  /// Adds W_h gamma r to sums, without entries of W_h below rounding if most of them are. Shapes: m
  void add_response_to_change(const Vector& r, Eigen::Ref<Vector> sums);

 private:
  OneStepProblem problem(const std::vector<Inclusion>& acting,
                         std::shared_ptr<PrincipalSolver> principal) const;
  bool any_is_active(const std::vector<bool>& is_active) const;
  void read_laws(const Times& times, const std::vector<bool>& is_active,
                 const std::vector<ContactState>& contacts);
  MultiVector scaled_columns(const std::vector<Index>& of) const;

  StepDelassus delassus_;
  std::vector<std::size_t> members_;  ///< Acting inclusions that something moves.
  std::vector<Index> directions_;     ///< Directions of the members.
  std::vector<bool> is_throughout_;   ///< Whether the law of a member has the parameters in the middle.
  Vector column_weights_;             ///< gamma
  Vector rows_;                       ///< The factor of W_h gamma r in (1) times the scale of the row.
  Vector scale_;                      ///< Scale of each row.
  std::unique_ptr<OneStepSolver> solver_;

  /// Work space for the laws of the inclusions in members_.
  struct Work {
    LawsAtTime laws;
    std::vector<ContactState> before, after;
    Vector b, r, w;
  };
  Work work_;
};

/**
 * Returns the StageProblem of a model. If many inclusions are strongly coupled and the factors of the
 * structure have little fill, as for contacts at all masses of a stiff chain, pivoting uses SaddlePointSolver
 * without W_h: a step then costs as much as some factorizations.
 * @param step_matrix P_h
 */
template <class Engine>
std::unique_ptr<StageProblem> make_stage_problem(const Inclusions<Engine>& inclusions,
                                                 const InclusionOutcome& outcome,
                                                 const std::vector<DirectionRule>& rules,
                                                 const FactorizationPtr<double>& step_matrix,
                                                 const StageWeights& weights);

}  // namespace halfdof::internal
