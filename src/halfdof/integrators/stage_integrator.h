#pragma once

#include <halfdof/integrators/contact_impacts.h>
#include <halfdof/integrators/fixed_step.h>
#include <halfdof/integrators/implicit_step.h>
#include <halfdof/integrators/nonsmooth_integrator.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/stage_problem.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * An integrator with inclusions and steps of one length, one implicit stage each. The linear part is that of
 * ImplicitStep,
 * @f[ (\sigma^2 M + \sigma C + K)\, x = \text{rhs} + H \gamma\, r_{n+1}, \qquad
 *     y_{n+1} = y_n + \delta(x)/\theta, \qquad (1) @f]
 * with sigma and theta of the method; then what the laws see at the end of the step is affine in r_{n+1}
 * (StageProblem), and a step costs one solve, with the small problem between its halves (StepDelassus);
 * one more, with the reactions, where DelassusOptions::max_column_bytes is exceeded. One
 * factorization serves all steps. The right-hand side is that of ImplicitStep for @f$ A y + \sigma b @f$, in
 * the form that needs no product with C: with @f$ x = \tilde x + b_q @f$,
 * @f[ (\sigma^2 M + \sigma C + K)\, \tilde x = F_{n+\theta} + \dots - K\,(q + b_q) + \sigma M\,(v + b_v),
 *     \qquad \delta = (\tilde x_I + b_{qI},\ \tilde x_C + b_{qC},\ \sigma \tilde x_I - v_I), \qquad (2) @f]
 * where all but generalized-alpha have b = 0.
 *
 * Algebraic DoFs are constraints at every stage and never integrated: with the stage values x_K the
 * displacements at the end are the ones that the state, the load and the reactions there ask for,
 * @f[ q_{K,n+1} = (x_K - (1-\theta)\, q_{K,n})/\theta , @f]
 * since all of these are the same mean of both ends. Likewise rates of viscous DoFs. Prescribed motions and
 * supports count by their displacements alone, see PrescribedStep.
 *
 * Steps end on a TimeGrid, the last of a run being shortened to hit the end time exactly. Dense output is
 * linear.
 */
template <class Engine>
class StageIntegrator : public NonsmoothIntegrator<Engine> {
 public:
  /// h [s]
  double time_step() const { return time_step_; }
  double largest_residual() const override { return largest_residual_; }
  bool corrects_positions() const override { return impact_rules_.corrects_positions; }
  double end_weight() const override { return coefficients_.theta; }

 protected:
  /// sigma and theta of a method for a step of length one: sigma = sigma_h / h.
  struct Coefficients {
    double sigma_h, theta;
  };
  /// @param rules one for each direction @throws InvalidInput unless the step is positive
  StageIntegrator(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, const char* name,
                  double time_step, std::vector<DirectionRule> rules, const Coefficients& coefficients,
                  const ImpactRules& impact_rules = {});

  /// b of (2), by what the method remembers; nothing: zero, on all processes. What the right-hand side has
  /// besides is added to it. Shapes: local states; local free DoFs.
  virtual std::optional<Vector> shift(const NonsmoothState& /*from*/, double /*sigma*/,
                                      Vector& /*rhs*/) const {
    return std::nullopt;
  }
  /// Entries that the method itself appends to NonsmoothState::memory.
  virtual Index n_remembered() const { return 0; }
  /// What these are at the end of a step, by the shift b of this step, the delta of (1) and the new
  /// reactions.
  virtual void remember(const NonsmoothState& /*from*/, const StageWeights& /*weights*/,
                        const Vector& /*shift*/, const Vector& /*delta*/, const Vector& /*r*/,
                        Eigen::Ref<Vector> /*memory*/) const {}
  /// Whether a state has them, on all processes; none has at a start. They are the last of its memory.
  bool remembers(const NonsmoothState& state) const;

  NonsmoothState advance(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events) final;
  /// Those that act throughout a step act at both its ends, where accelerations depend on them through a
  /// mass that the state changes: an impulse then makes the velocities that the mean of M^-1 there does.
  Vector met_reactions(const NonsmoothState& at, const Vector& r) const override;
  /// Whether the state changes masses.
  bool has_state_mass() const { return has_state_mass_; }
  std::string advice() const override { return a_stable_advice; }

  const std::vector<DirectionRule>& rules() const { return rules_; }

 private:
  /// What depends on the length of a step.
  struct Lengths {
    StageWeights weights;
    ImplicitStep<Engine, double> implicit;
    std::unique_ptr<StageProblem> problem;
  };
  Lengths make_lengths(double step) const;
  /// What the directions see of a step.
  struct Seen {
    StageWeights weights{};
    PrescribedStep p;
    Vector s;          ///< H^T q at the start, with the algebraic DoFs
    MultiVector sums;  ///< columns: components of the state's displacements, of x~ of (2), of b_q; and H^T q'
    double q(Index j) const { return sums(j, 0); }
    double x(Index j) const { return sums(j, 1); }
    double b(Index j) const { return sums(j, 2); }
    double rate(Index j) const { return sums(j, 3); }
    double end_gap(Index j) const;
    double end_rate(Index j) const;
    double rate_before(Index j) const { return rate(j) + p.begin_rate[j]; }
  };
  /// What a step works with; the memory of one serves the next.
  struct Work {
    Seen seen;
    Vector known, rhs, acting, delta, mean;  ///< of loads, reactions and states
    MultiVector x;                           ///< and z on the way to it
    Vector w_before, free, met;              ///< of directions: before, without and with reactions
    double at_rest = 0;                      ///< rates that count as rest, where contacts have mass
    std::vector<bool> takes_part;
    std::vector<bool>
        struck;  ///< acting inclusions that had an impact at the beginning of the step; empty: none
  };
  void evaluate_directions(const NonsmoothState& from, const Lengths& lengths, double end,
                           const MultiVector& z, const std::optional<Vector>& shift);
  void meet_without_reactions(const NonsmoothState& from);
  const Vector& load_at(double time);
  const Vector& right_hand_side(const NonsmoothState& from, const StageWeights& weights, double end,
                                std::optional<Vector>& shift);
  void solve_with_reactions(StageProblem& problem, const Vector& r, MultiVector& x);
  void complete_rates(const NonsmoothState& from, Eigen::Ref<Vector> rates) const;
  double restitution_in_step(const Law& law) const;
  Vector rates_before(const NonsmoothState& from, double end) const;
  std::vector<std::size_t> contacts_with_mass() const;
  std::optional<NonsmoothState> strike(const NonsmoothState& from, const TimeGrid::Step& step,
                                       std::vector<ContactEvent>& events);
  NonsmoothState advance_from(const NonsmoothState& from, const TimeGrid::Step& step,
                              std::vector<ContactEvent>& events);
  void correct_positions(NonsmoothState& to) const;
  Vector size_of_displacements(const NonsmoothState& at) const;
  Vector rounding_of_laws(const NonsmoothState& from, double step) const;
  void set_rates_before(const NonsmoothState& from);
  void set_gaps_and_rates(const NonsmoothState& from, NonsmoothState& to) const;
  void set_memory(NonsmoothState& to) const;
  double rate_by_reaction(Index direction, const NonsmoothState& from, double step) const;
  Vector gaps_of_striking(const NonsmoothState& from, const Lengths& lengths) const;
  void select_inclusions(const NonsmoothState& from, const Lengths& lengths);
  const Vector& mean_reactions(const NonsmoothState& from, const NonsmoothState& to);
  double mean_rate_of_impacts(Index direction, const NonsmoothState& to) const;
  void account(const NonsmoothState& from, NonsmoothState& to, double step);
  void recover(const NonsmoothState& from, NonsmoothState& to, double step) const;
  double rounding_of_rates(const NonsmoothState& from) const;
  void keep_contacts_at_rest(const NonsmoothState& from, NonsmoothState& to) const;
  bool jumps(std::size_t inclusion, const NonsmoothState& from, const NonsmoothState& to) const;
  void report(const NonsmoothState& from, const NonsmoothState& to, std::vector<ContactEvent>& events) const;

  double time_step_;
  double largest_residual_ = 0;
  std::vector<DirectionRule> rules_;
  Coefficients coefficients_;
  ImpactRules impact_rules_;
  std::optional<ContactImpacts<Engine>> impacts_;  ///< unless the rules are plain
  bool has_state_mass_;
  bool needs_rates_;                       ///< whether some direction is met by its rate at the end
  bool has_impacts_;                       ///< whether some contact stops masses
  bool has_blended_;                       ///< whether some reaction is
  std::vector<std::size_t> unmoved_;       ///< acting inclusions that nothing moves
  Eigen::SparseMatrix<double> H_q_, H_v_;  ///< H_q^T y = H^T (J_I q_I + J_C q_C), H_v^T y = H^T J_I v_I
  PerStepLength<Lengths> lengths_;
  struct TimedLoad {
    double time = 0;
    Vector load;
  };
  std::array<std::optional<TimedLoad>, 2> loads_;  ///< the last two that were asked for, the newest first
  Work work_;
};

}  // namespace halfdof
