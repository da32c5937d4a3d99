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
 * with gamma = theta for blended reactions and gamma = sigma theta h for impulses (see DirectionRule).
 * Depending on EnforcedOn the law of a direction is enforced on one of
 * @f[ g_{n+1} = b + \tfrac1\theta W_h \gamma r, \quad
 *     (g_{n+1} - g_n)/h = b + \tfrac1{\theta h} W_h \gamma r, \quad
 *     w_{n+1} = b + \tfrac\sigma\theta W_h \gamma r. \qquad (1) @f]
 */
struct StageWeights {
  double step;   ///< Step length h [s].
  double sigma;  ///< Shift of the step matrix P_h [1/s].
  double theta;  ///< Weight of the end of the step in the values of the stage.
};

/**
 * The complementarity problem of the laws with equations (1) of StageWeights, for all steps of one length.
 * The rows of positively homogeneous laws, which allow any unit of the rate, are scaled so that the problem
 * is symmetric like W_h for any combination of rules. Inclusions whose reactions move no DoF are omitted.
 */
class StageProblem {
 public:
  /// @param rules one rule for each direction
  /// @param principal solver for principal submatrices of W_h, used in pivoting if W_h is an operator
  StageProblem(const std::vector<Inclusion>& acting, const InclusionOutcome& outcome,
               const std::vector<DirectionRule>& rules, StepDelassus delassus, const StageWeights& weights,
               std::shared_ptr<PrincipalSolver> principal = nullptr);

  StageProblem(const StageProblem&) = delete;
  StageProblem& operator=(const StageProblem&) = delete;

  /// Returns the largest residual of the laws so far, see OneStepSolver::largest_residual().
  double largest_residual() const { return solver_->largest_residual(); }
  const StepDelassus& delassus() const { return delassus_; }
  /// Returns whether the inclusions are weakly coupled, see OneStepSolver::is_weakly_coupled().
  bool is_weakly_coupled() const { return solver_->is_weakly_coupled(); }
  /// The weights gamma of the reactions of all directions, zero for directions that no reaction moves. Shape:
  /// m.
  const Vector& column_weights() const { return column_weights_; }

  /// The times at which a step begins and ends [s].
  struct Times {
    double begin, end;
  };
  /**
   * Solves the laws of a step. Thresholds and coefficients of friction are those at the end of the step. For
   * friction and contacts on masses, whose reactions act throughout the step, the values in the middle are
   * used.
   *
   * @param b the terms b of the equations (1) of StageWeights: one entry for each direction, in the unit of
   * the gap or rate on which its law is enforced. Shape: m
   * @param r on entry the reactions of the last step, on return the new reactions; entries of inclusions
   * whose reactions move no DoF do not change
   * @param law_values on return the gaps and rates of (1) on which the laws were enforced
   * @param contacts for each acting inclusion its state (open, closed, stick or slip): on entry before the
   * step, on return after the step
   * @param is_active for each acting inclusion whether its law is enforced in this step; otherwise its
   * reaction is zero and it counts as open
   * @param rounding returns the rounding errors of b; called if laws do not hold to the tolerance. Shape: m
   */
  void solve(const Times& times, const Vector& b, const std::vector<bool>& is_active, Vector& r,
             Vector& law_values, std::vector<ContactState>& contacts,
             const std::function<Vector()>& rounding);

  /// Adds W_h gamma r to `sums`. If most entries of W_h are only rounding errors, these entries are left out.
  /// Shapes: m.
  void add_response_to_change(const Vector& r, Eigen::Ref<Vector> sums);

 private:
  OneStepProblem problem(const std::vector<Inclusion>& acting,
                         std::shared_ptr<PrincipalSolver> principal) const;
  bool any_is_active(const std::vector<bool>& is_active) const;
  void read_laws(const Times& times, const std::vector<bool>& is_active,
                 const std::vector<ContactState>& contacts);
  MultiVector scaled_columns(const std::vector<Index>& of) const;

  StepDelassus delassus_;
  std::vector<std::size_t> members_;       ///< Acting inclusions whose reactions move DoFs.
  std::vector<Index> directions_;          ///< Directions of the members.
  std::vector<bool> uses_middle_of_step_;  ///< Whether the law of a member has the parameters in the middle.
  Vector column_weights_;                  ///< The weight gamma of each direction.
  Vector rows_;                            ///< The factor of W_h gamma r in (1) times the scale of the row.
  Vector scale_;                           ///< Scale of each row.
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
 * Returns the StageProblem of a model. If many inclusions are strongly coupled and the Cholesky factors of
 * the step matrix have little fill-in, as for contacts at all masses of a stiff chain, pivoting uses
 * SaddlePointSolver and does not form W_h. A step then costs as much as a few factorizations.
 * @param step_matrix P_h
 */
template <class Engine>
std::unique_ptr<StageProblem> make_stage_problem(const Inclusions<Engine>& inclusions,
                                                 const InclusionOutcome& outcome,
                                                 const std::vector<DirectionRule>& rules,
                                                 const FactorizationPtr<double>& step_matrix,
                                                 const StageWeights& weights);

}  // namespace halfdof::internal
