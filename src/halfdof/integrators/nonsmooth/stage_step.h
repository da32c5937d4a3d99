// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/contact_impacts.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/stage_problem.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/smooth/implicit_step.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace halfdof {

using namespace internal;

/// The rules and data of a method, and the computation of its steps.
template <class Engine>
struct StageIntegrator<Engine>::Implementation {
  Implementation(StageIntegrator& owner, const char* name, double time_step, const StageRules& rules);

  NonsmoothState advance(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events);

  const Inclusions<Engine>& inclusions() const { return owner_->inclusions(); }
  const InclusionOutcome& outcome() const { return owner_->outcome(); }
  const ReducedSystem<Engine>& reduced() const { return owner_->reduced(); }
  const DirectionRule& rule(Index direction) const {
    return rules_.directions[static_cast<std::size_t>(direction)];
  }

  /// Data that depend on the step length.
  struct StepLengthData {
    StageWeights weights;
    ImplicitStep<Engine, double> implicit;
    std::unique_ptr<StageProblem> problem;
  };
  StepLengthData make_step_data(double step) const;
  /// The motion of the directions in a step.
  struct DirectionMotion {
    StageWeights weights{};
    PrescribedStep p;
    Vector s;  ///< Displacements H^T q at the beginning of the step, including those of algebraic DoFs.
    /// The columns are H^T of the displacements in the state, of x~ of (2) and of b_q, and the rates H^T q'.
    MultiVector sums;
    double q(Index j) const { return sums(j, 0); }
    double x(Index j) const { return sums(j, 1); }
    double b(Index j) const { return sums(j, 2); }
    double rate(Index j) const { return sums(j, 3); }
    double end_gap(Index j) const;
    double end_rate(Index j) const;
    double rate_before(Index j) const { return rate(j) + p.begin_rate[j]; }
  };
  /// Work space of a step, whose storage is reused in the next step.
  struct Work {
    DirectionMotion motion;
    /// The known part of blended reactions, the right-hand side of (2), the weighted new reactions, the
    /// increment delta of (1), and the mean reactions of the step.
    Vector known, rhs, acting, delta, mean;
    MultiVector x;  ///< Solution x~ of (2); first the result of the forward substitution without reactions.
    /// The rates of directions before the step, and the quantities on which the laws are enforced without and
    /// with the new reactions.
    Vector w_before, free_law_values, law_values;
    double at_rest = 0;           ///< Rate up to which contacts with mass count as at rest.
    std::vector<bool> is_active;  ///< Whether each acting inclusion is active in the step.
    /// Whether each acting inclusion had an impact at the beginning of the step. The vector is empty if there
    /// was no impact.
    std::vector<bool> struck;
  };
  void evaluate_directions(const NonsmoothState& from, const StepLengthData& data, double end,
                           const MultiVector& z, const std::optional<Vector>& shift);
  void set_free_law_values(const NonsmoothState& from);
  const Vector& load_at(double time);
  const Vector& right_hand_side(const NonsmoothState& from, const StageWeights& weights, double end,
                                std::optional<Vector>& shift);
  void solve_with_reactions(StageProblem& problem, const Vector& r, MultiVector& x);
  void complete_rates(const NonsmoothState& from, Eigen::Ref<Vector> rates) const;
  double restitution_in_step(const Law& law) const;
  Vector rates_before(const NonsmoothState& from, double end) const;
  std::vector<std::size_t> contacts_with_mass() const;
  std::optional<NonsmoothState> apply_impacts(const NonsmoothState& from, const TimeGrid::Step& step,
                                              std::vector<ContactEvent>& events);
  NonsmoothState advance_from(const NonsmoothState& from, const TimeGrid::Step& step,
                              std::vector<ContactEvent>& events);
  void correct_positions(NonsmoothState& to) const;
  Vector size_of_displacements(const NonsmoothState& at) const;
  Vector rounding_of_laws(const NonsmoothState& from, double step) const;
  void set_rates_before(const NonsmoothState& from);
  void set_gaps_and_rates(const NonsmoothState& from, NonsmoothState& to) const;
  void set_carried_data(NonsmoothState& to) const;
  double rate_by_reaction(Index direction, const NonsmoothState& from, double step) const;
  Vector gaps_of_striking(const NonsmoothState& from, const StepLengthData& data) const;
  void select_inclusions(const NonsmoothState& from, const StepLengthData& data);
  const Vector& mean_reactions(const NonsmoothState& from, const NonsmoothState& to);
  double mean_rate_of_impacts(Index direction, const NonsmoothState& to) const;
  void add_impulse_and_dissipation(const NonsmoothState& from, NonsmoothState& to, double step);
  void recover_immobile_reactions(const NonsmoothState& from, NonsmoothState& to, double step) const;
  double rounding_of_rates(const NonsmoothState& from) const;
  void keep_contacts_at_rest(const NonsmoothState& from, NonsmoothState& to) const;
  bool has_impact(std::size_t inclusion, const NonsmoothState& from, const NonsmoothState& to) const;
  void append_events(const NonsmoothState& from, const NonsmoothState& to,
                     std::vector<ContactEvent>& events) const;

  StageIntegrator* owner_;
  double time_step_;
  double largest_residual_ = 0;
  StageRules rules_;
  std::optional<ContactImpacts<Engine>> impacts_;  ///< No value if ImpactRules::are_plain().
  bool has_state_mass_;
  bool needs_rates_;                   ///< Whether a law is enforced on the rate at the end of the step.
  bool has_impacts_;                   ///< Whether there are contacts with mass.
  bool has_blended_;                   ///< Whether there are blended reactions.
  std::vector<std::size_t> immobile_;  ///< Acting inclusions whose reactions move no DoF.
  /// The rows of H in the order of displacement states (H_q) and of velocity states (H_v):
  /// H_q^T y = H^T (J_I q_I + J_C q_C) and H_v^T y = H^T J_I v_I.
  Eigen::SparseMatrix<double> H_q_, H_v_;
  PerStepLength<StepLengthData> step_data_;
  struct TimedLoad {
    double time = 0;
    Vector load;
  };
  std::array<std::optional<TimedLoad>, 2> loads_;  ///< The last two computed loads, with the newest first.
  Work work_;
};

}  // namespace halfdof
