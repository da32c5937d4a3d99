#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/inclusions/outcome.h>

#include <functional>
#include <memory>
#include <vector>

namespace halfdof {

/// What a method asks of a law in a step from t_n to t_{n+1} = t_n + h, direction by direction.
enum class MetAt {
  end_gap,    ///< the gap g_{n+1}
  mean_rate,  ///< the mean rate (g_{n+1} - g_n)/h, which needs no F' and holds for any slip within the step
  end_rate,   ///< the rate w_{n+1}
  impact,     ///< w_{n+1} + e w_n, once the gap is about to close
};

/// How one direction takes part in a step.
struct DirectionRule {
  MetAt met = MetAt::end_gap;
  /// Whether the reaction varies within the step as loads do, r = (1 - theta) r_n + theta r_{n+1} at the
  /// stage; otherwise r_{n+1} acts throughout, as an impulse h r_{n+1}.
  bool is_blended = false;
};

/// Implicit Euler's rules: gaps at the end, mean rates.
std::vector<DirectionRule> mean_rules(const InclusionOutcome& outcome);

/// Rules of velocity-level schemes: impacts and friction on inertial DoFs by the rates at the end; massless
/// contacts and viscous friction as at the end of the step; plays by the mean rate; sweeping processes by gap
/// and impulse.
/// @throws NotAvailable if both half DoFs and masses decide a contact
std::vector<DirectionRule> velocity_rules(const InclusionOutcome& outcome);

/**
 * The lengths of a step: sigma and theta of a stage
 * @f[ P_h x = (\text{motion without } r_{n+1}) + H \gamma\, r_{n+1}, \qquad
 *     P_h = \sigma^2 M + \sigma C + K, \qquad y_{n+1} = y_n + \delta(x)/\theta, @f]
 * with gamma = theta for blended reactions and sigma theta h for impulses. The laws then see
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
 * The small problem of every step of one length: (1) with the laws. Where laws do not mind the unit of w
 * (they are positively homogeneous) the rows are scaled so that the problem keeps the symmetry of W_h
 * whatever is mixed. Inclusions that nothing moves take no part.
 */
class StageProblem {
 public:
  /// @param rules one for each direction
  /// @param principal of W_h, to pivot with where that is an operator
  StageProblem(const std::vector<Inclusion>& acting, const InclusionOutcome& outcome,
               const std::vector<DirectionRule>& rules, StepDelassus delassus, const StageWeights& weights,
               std::shared_ptr<PrincipalSolver> principal = nullptr);

  StageProblem(const StageProblem&) = delete;
  StageProblem& operator=(const StageProblem&) = delete;

  /// See OneStepSolver::largest_residual().
  double largest_residual() const { return solver_->largest_residual(); }
  const StepDelassus& delassus() const { return delassus_; }
  /// As OneStepSolver says.
  bool is_weakly_coupled() const { return solver_->is_weakly_coupled(); }
  /// gamma, zero where nothing moves. Shape: m.
  const Vector& column_weights() const { return column_weights_; }

  /// Where a step begins and ends [s].
  struct Times {
    double begin, end;
  };
  /**
   * Thresholds and coefficients are those of the end; of friction and contacts on masses, whose reactions act
   * throughout, those of the middle.
   *
   * @param b (1) without r, in the units of each rule. Shape: m
   * @param r on entry those of the last step, on return the new ones; entries of what takes no part are left
   * alone
   * @param met on return what the laws saw, (1)
   * @param contacts on entry before, on return after the step, one for each acting inclusion
   * @param takes_part one for each acting inclusion; the others have r = 0 and count as open
   * @param rounding of b, asked for where laws do not hold to the tolerance. Shape: m
   */
  void solve(const Times& times, const Vector& b, const std::vector<bool>& takes_part, Vector& r, Vector& met,
             std::vector<ContactState>& contacts, const std::function<Vector()>& rounding);

  /// sums += W_h gamma r, without the entries that are below rounding where most are. Shapes: m
  void add_moved(const Vector& r, Eigen::Ref<Vector> sums);

 private:
  OneStepProblem problem(const std::vector<Inclusion>& acting,
                         std::shared_ptr<PrincipalSolver> principal) const;
  bool any_takes_part(const std::vector<bool>& takes_part) const;
  void read_laws(const Times& times, const std::vector<bool>& takes_part,
                 const std::vector<ContactState>& contacts);
  MultiVector scaled_columns(const std::vector<Index>& of) const;

  StepDelassus delassus_;
  std::vector<std::size_t> members_;  ///< acting inclusions that something moves
  std::vector<Index> directions_;     ///< theirs
  std::vector<bool> is_throughout_;   ///< of members: their reactions have the parameters of the middle
  Vector column_weights_;             ///< gamma
  Vector rows_;                       ///< factor of W_h gamma r in (1), and scale of the row together
  Vector scale_;                      ///< of the row
  std::unique_ptr<OneStepSolver> solver_;

  /// Of members, while a step is solved.
  struct Work {
    LawsAtTime laws;
    std::vector<ContactState> before, after;
    Vector b, r, w;
  };
  Work work_;
};

/**
 * That of a model. Many strongly coupled inclusions of a structure whose factors have little fill, like
 * contacts at all masses of a stiff chain, are pivoted by HeldDirections, without W_h: a step costs as much
 * as some factorizations.
 * @param step_matrix P_h
 */
template <class Engine>
std::unique_ptr<StageProblem> make_stage_problem(const Inclusions<Engine>& inclusions,
                                                 const InclusionOutcome& outcome,
                                                 const std::vector<DirectionRule>& rules,
                                                 const FactorizationPtr<double>& step_matrix,
                                                 const StageWeights& weights);

}  // namespace halfdof
