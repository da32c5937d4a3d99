// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/nonsmooth/explicit_step.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_dependence.h>

#include <algorithm>
#include <utility>

/// The selection of the reactions of explicit methods at a state.

namespace halfdof {

using namespace internal;

namespace {

/// Friction continues to slip if a step changes its rate by less than this fraction of the rate before. The
/// fraction is not the inverse of an integer: if a uniform deceleration ends after a whole number of steps,
/// the relative change of a step never equals it.
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
    const Group& group, double time, const std::vector<ContactState>& contacts) const {
  std::vector<ContactState> before;
  for (const std::size_t i : group.inclusions)
    before.push_back(contacts[i]);
  return group.solver->problem().laws_at(time, before);
}

/// Computes the reactions of one group.
/// @param b gaps or rates of all directions, on which the laws are enforced, without these reactions
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::solve_group(const Group& group, double time, const Vector& b,
                                                             Vector& reactions,
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

/// Returns the quantities on which the laws of immediate_ are enforced, under reactions r: gaps, rates, and
/// for friction on masses the rates one step ahead.
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
/// step ahead. Friction that continues to slide then gets the reaction of its present rate, with which the
/// other laws are solved again.
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::solve_immediate(const State& state, const FreeMotion& free,
                                                                 Selected& selected) const {
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

/// Replaces the reactions of friction on masses that continues to slide by those of its present rate.
/// @param b quantities of the laws without the reactions of immediate_; on return with those of friction that
/// continues to slide
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
    b += immediate_.solver->moved(sliding);
    immediate_.solver->solve(laws, b, r, x);
    r += sliding;
  }
  laws.is_active.assign(laws.is_active.size(), true);
}

/// Computes reactions and states of inclusions whose reactions move nothing, and checks gaps of such
/// contacts.
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::set_unmoved_reactions(double time, const FreeMotion& free,
                                                                       Selected& selected) const {
  if (unmoved_.empty()) return;
  const Vector g = gaps(free, selected.r), w = rates(free, selected.r);
  for (const std::size_t i : unmoved_) {
    const Inclusion& inclusion = inclusions().acting()[i];
    const Law& law = *inclusion.law;
    const Index first = inclusions().first_direction(i), d = law.dimension();
    auto r = selected.r.segment(first, d);
    if (law.level(0) == LawLevel::gap) {
      const double rounding = closing_tolerance * prescribed_size(inclusions(), time)[first];
      check_held_gap(inclusion.name, g[first], rounding, time);
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
auto ExplicitInclusions<Engine>::Implementation::select(const State& state, const Vector& r_before,
                                                        const std::vector<ContactState>& contacts) const
    -> Selected {
  const ReducedSystem<Engine>& reduced = owner_->reduced();
  Selected selected = select_with(inclusions().free_motion(state, r_before), state, r_before, contacts);
  if (!reduced.depends_on_state() || r_before.size() == 0) return selected;
  const auto what = [&] {
    return "The stage of the " + owner_->name() + " method at " + seconds(state.time);
  };
  StepIteration iteration(reduced.state_dependence()->options.newton, reduced.communicator(), what,
                          {selected.r});
  const State rounded{state.time, with_other_rounding(state.y)};
  while (true) {
    const Vector r = selected.r;
    const auto select_again = [&](const State& at) {
      return select_with(inclusions().free_motion(at, r), at, r_before, contacts);
    };
    selected = select_again(state);
    const StepIteration::Verdict verdict = iteration.judge({selected.r});
    if (verdict == StepIteration::Verdict::converged) return selected;
    if (verdict == StepIteration::Verdict::measure_rounding)
      iteration.judge_rounding({select_again(rounded).r});
  }
}

template <class Engine>
auto ExplicitInclusions<Engine>::Implementation::select_with(const FreeMotion& free, const State& state,
                                                             const Vector& r_before,
                                                             const std::vector<ContactState>& contacts) const
    -> Selected {
  Selected selected{r_before, free.gaps, free.rates, free.y_rate, contacts};
  if (r_before.size() == 0) return selected;
  if (!impacts_.empty())
    owner_->contact_reactions(gaps(free, selected.r), rates(free, selected.r), contacts, selected.r);
  solve_immediate(state, free, selected);
  set_unmoved_reactions(state.time, free, selected);
  selected.gaps = gaps(free, selected.r);
  selected.rates = rates(free, selected.r);
  selected.y_rate += input_.apply(selected.r);
  return selected;
}

template <class Engine>
void ExplicitInclusions<Engine>::Implementation::select_at(Point& point) const {
  Selected selected = select(point.state, point.state.r, point.state.contacts);
  point.state.r = std::move(selected.r);
  point.state.g = std::move(selected.gaps);
  point.state.w = std::move(selected.rates);
  point.state.contacts = std::move(selected.contacts);
  point.y_rate = std::move(selected.y_rate);
}

template struct ExplicitInclusions<InstantiatedEngine>::Implementation;

}  // namespace halfdof
