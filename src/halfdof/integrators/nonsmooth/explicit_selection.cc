// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/nonsmooth/explicit_step.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>

#include <algorithm>
#include <utility>

// The selection of the reactions of explicit methods at a state.

namespace halfdof {

using namespace internal;

namespace {

/// Friction continues to slip if a step changes its rate by less than this fraction of the rate before the
/// step. The fraction is not the inverse of an integer, so that the relative change of a step never equals
/// the fraction if a uniform deceleration ends after a whole number of steps.
constexpr double largest_relative_change = 0.3;

}  // namespace

template <class Engine>
Vector ExplicitInclusions<Engine>::Implementation::gaps(const FreeMotion& free, const Vector& r) const {
  if (!inclusions().acts_on(DoFKind::algebraic)) return free.gaps;
  return free.gaps + combination(outcome().W.K, r);
}

template <class Engine>
Vector ExplicitInclusions<Engine>::Implementation::rates(const FreeMotion& free, const Vector& r) const {
  if (!inclusions().acts_on(DoFKind::viscous)) return free.rates;
  return free.rates + combination(outcome().W.C, r);
}

template <class Engine>
LawsAtTime ExplicitInclusions<Engine>::Implementation::laws_of(
    const LawGroup& group, double time, const std::vector<ContactState>& contacts) const {
  std::vector<ContactState> before;
  for (const std::size_t i : group.inclusions)
    before.push_back(contacts[i]);
  return group.solver->problem().laws_at(time, before);
}

/// Computes the reactions of one group of laws.
/// @param b the gaps or rates of all directions on which the laws are enforced, without the reactions of the
/// group
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::solve_group(const LawGroup& group, double time,
                                                             const Vector& b, Vector& reactions,
                                                             std::vector<ContactState>& contacts) const {
  LawsAtTime laws = laws_of(group, time, contacts);
  Vector r = reactions(group.directions), x(r.size());
  const Vector b_here = b(group.directions);
  group.solver->solve(laws, b_here, r, x);
  const std::vector<ContactState> states = group.solver->states(laws, b_here, r, x);
  reactions(group.directions) = r;
  for (std::size_t k = 0; k < states.size(); ++k)
    contacts[group.inclusions[k]] = states[k];
}

/// Returns the quantities on which the laws of immediate_ are enforced, under reactions r. The quantities are
/// gaps, rates, and for friction on masses the rates one step later.
template <class Engine>
Vector ExplicitInclusions<Engine>::Implementation::law_quantities(const State& state, const FreeMotion& free,
                                                                  const Vector& r) const {
  const std::vector<DoFKind>& kinds = immediate_.kinds;
  const bool has_inertial = std::find(kinds.begin(), kinds.end(), DoFKind::inertial) != kinds.end();
  const Vector g = gaps(free, r), w = rates(free, r), ahead = has_inertial ? rates_ahead(state, free, r) : w;
  Vector b(static_cast<Index>(kinds.size()));
  for (std::size_t k = 0; k < kinds.size(); ++k)
    b[static_cast<Index>(k)] = (kinds[k] == DoFKind::algebraic ? g
                                : kinds[k] == DoFKind::viscous ? w
                                                               : ahead)[immediate_.directions[k]];
  return b;
}

template <class Engine>
Vector ExplicitInclusions<Engine>::Implementation::rates_ahead(const State& state, const FreeMotion& free,
                                                               const Vector& r) const {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const double later = state.time + time_step_;
  if (friction_on_masses_moves_viscous_) {
    const State then{later, state.y + time_step_ * (free.y_rate + input_.apply(r))};
    return rates(inclusions.free_motion(then, r), r);
  }
  Vector w = rates(free, r) + time_step_ * (free.accelerations + combination(outcome().W.I, r));
  if (inclusions.has_moving_supports())
    w += inclusions.prescribed_rate(later) - inclusions.prescribed_rate(state.time);
  return w;
}

/// Computes all reactions that are functions of the state. Friction on masses is enforced on the rate one
/// step later. Friction that continues to slip then gets the reaction of its present rate, and the other laws
/// are solved again with these reactions.
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::solve_immediate(const State& state, const FreeMotion& free,
                                                                 SelectedReactions& selected) const {
  if (!immediate_.solver) return;
  const std::vector<Index>& directions = immediate_.directions;
  Vector& all = selected.r;
  Vector r = all(directions), x(r.size());
  all(directions).setZero();
  Vector b = law_quantities(state, free, all);
  LawsAtTime laws = laws_of(immediate_, state.time, selected.contacts);
  immediate_.solver->solve(laws, b, r, x);
  all(directions) = r;
  set_sliding_reactions(rates(free, all)(directions), laws, b, r, x);
  all(directions) = r;
  const std::vector<ContactState> states = immediate_.solver->states(laws, b, r, x);
  for (std::size_t k = 0; k < states.size(); ++k)
    selected.contacts[immediate_.inclusions[k]] = states[k];
}

/// Replaces the reactions of friction on masses that continues to slip by the reactions at its present rate.
/// @param b on entry the quantities of the laws without the reactions of immediate_, on return with the
/// reactions of friction that continues to slip
/// @param r,x the reactions of immediate_, and the quantities of the laws with them
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::set_sliding_reactions(const Vector& w_here, LawsAtTime& laws,
                                                                       Vector& b, Vector& r,
                                                                       Vector& x) const {
  const OneStepProblem& problem = immediate_.solver->problem();
  const std::vector<ContactState> states = immediate_.solver->states(laws, b, r, x);
  Vector sliding = Vector::Zero(r.size());
  bool has_changed = false;
  for (Index k = 0; k < problem.n_inclusions(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Index first = problem.first_column(k), d = problem.dimension(k);
    const Vector here = w_here.segment(first, d);
    const bool keeps_sliding = immediate_.kinds[static_cast<std::size_t>(first)] == DoFKind::inertial &&
                               states[at] != ContactState::stick &&
                               (x.segment(first, d) - here).norm() < largest_relative_change * here.norm();
    if (!keeps_sliding) continue;
    laws.is_active[at] = false;
    sliding.segment(first, d) =
        consistent_reaction(problem.law(k), laws.parameters[at], here, r.segment(first, d));
    has_changed = has_changed || (sliding - r).segment(first, d).norm() > 0;
  }
  if (has_changed) {
    b += immediate_.solver->response(sliding);
    immediate_.solver->solve(laws, b, r, x);
    r += sliding;
  }
  laws.is_active.assign(laws.is_active.size(), true);
}

/// Computes the reactions and contact states of inclusions whose reactions move no DoF, and checks the gaps
/// of such contacts.
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::set_immobile_reactions(double time, const FreeMotion& free,
                                                                        SelectedReactions& selected) const {
  if (immobile_.empty()) return;
  const Vector g = gaps(free, selected.r), w = rates(free, selected.r);
  for (const std::size_t i : immobile_) {
    const Inclusion& inclusion = inclusions().acting()[i];
    const Law& law = *inclusion.law;
    const Index first = inclusions().first_direction(i), d = law.dimension();
    auto r = selected.r.segment(first, d);
    if (law.level(0) == LawLevel::gap) {
      const double rounding = closing_tolerance * prescribed_size(inclusions(), time)[first];
      check_gap_of_immobile_contact(inclusion.name, g[first], rounding, time);
      r.setZero();
      selected.contacts[i] = ContactState::open;
      continue;
    }
    LawParameters parameters = law.parameters(time, selected.contacts[i]);
    r = consistent_reaction(law, parameters, w.segment(first, d), r);
    selected.contacts[i] = law.state(parameters, w.segment(first, d), r, 0.);
  }
}

/// Selects the reactions at a state. A state force depends on the reactions, so that both are computed by
/// iteration.
template <class Engine>
auto ExplicitInclusions<Engine>::Implementation::select_reactions(
    const State& state, const Vector& r_before, const std::vector<ContactState>& contacts) const
    -> SelectedReactions {
  const ReducedSystem<Engine>& reduced = owner_->reduced();
  SelectedReactions selected =
      select_reactions_with(inclusions().free_motion(state, r_before), state, r_before, contacts);
  if (!reduced.depends_on_state() || r_before.size() == 0) return selected;
  const auto what = [&] {
    return "The stage of the " + owner_->name() + " method at " + seconds(state.time);
  };
  StepIteration iteration(reduced.linearized_state_force()->options.newton, reduced.communicator(), what,
                          {selected.r});
  const State rounded{state.time, perturbed_by_rounding(state.y)};
  while (true) {
    const Vector r = selected.r;
    const auto select_again = [&](const State& at) {
      return select_reactions_with(inclusions().free_motion(at, r), at, r_before, contacts);
    };
    selected = select_again(state);
    const StepIteration::Decision decision = iteration.decide_after_trial({selected.r});
    if (decision == StepIteration::Decision::converged) return selected;
    if (decision == StepIteration::Decision::measure_rounding)
      iteration.decide_after_rounding_trial({select_again(rounded).r});
  }
}

template <class Engine>
auto ExplicitInclusions<Engine>::Implementation::select_reactions_with(
    const FreeMotion& free, const State& state, const Vector& r_before,
    const std::vector<ContactState>& contacts) const -> SelectedReactions {
  SelectedReactions selected{r_before, free.gaps, free.rates, free.y_rate, contacts};
  if (r_before.size() == 0) return selected;
  if (!impacts_.empty())
    owner_->contact_reactions(gaps(free, selected.r), rates(free, selected.r), contacts, selected.r);
  solve_immediate(state, free, selected);
  set_immobile_reactions(state.time, free, selected);
  selected.gaps = gaps(free, selected.r);
  selected.rates = rates(free, selected.r);
  selected.y_rate += input_.apply(selected.r);
  return selected;
}

template <class Engine>
void ExplicitInclusions<Engine>::Implementation::select_at(Point& point) const {
  SelectedReactions selected = select_reactions(point.state, point.state.r, point.state.contacts);
  point.state.r = std::move(selected.r);
  point.state.g = std::move(selected.gaps);
  point.state.w = std::move(selected.rates);
  point.state.contacts = std::move(selected.contacts);
  point.y_rate = std::move(selected.y_rate);
}

template struct ExplicitInclusions<InstantiatedEngine>::Implementation;

}  // namespace halfdof
