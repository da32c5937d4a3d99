// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/force_rounding.h>
#include <halfdof/reduction/linearized_state_force.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

NonsmoothState without_carried_data(NonsmoothState state) {
  state.carried.resize(0);
  return state;
}

/// Refuses obstacles that jump within a step into contacts with mass or damping. Collective.
/// @throws InvalidInput if an obstacle jumps in this way
template <class Engine>
void require_obstacles_without_jumps(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                     const NonsmoothState& begin, const NonsmoothState& end) {
  if (!(end.time > begin.time)) return;
  std::vector<Index> touching;
  for (const Index j : outcome.directions_in(ReducedLaw::measure_inclusion))
    if (end.g[j] < 0 || end.contacts[inclusions.inclusion_of(j)] != ContactState::open) touching.push_back(j);
  std::vector<Index> viscous;
  for (const Index j : outcome.directions_in(ReducedLaw::sweeping_process))
    if (end.g[j] < 0) viscous.push_back(j);
  if (touching.empty() && viscous.empty()) return;
  // A smooth motion has about half of its change in each half of the step.
  const Vector first = inclusions.prescribed(begin.time), last = inclusions.prescribed(end.time),
               middle = inclusions.prescribed(begin.time + 0.5 * (end.time - begin.time));
  // Some methods move viscous DoFs together with a jump of the obstacle. The gap is then zero at the end, and
  // the jump causes no error.
  for (const Index j : viscous)
    if (end.g[j] < 0.5 * (last[j] - first[j])) touching.push_back(j);
  std::vector<Index> suspicious;
  for (const Index j : touching)
    if (std::max(first[j] - middle[j], middle[j] - last[j]) > 0.75 * (first[j] - last[j]) &&
        last[j] < first[j])
      suspicious.push_back(j);
  if (suspicious.empty()) return;
  const Vector size = prescribed_size(inclusions, begin.time).cwiseMax(prescribed_size(inclusions, end.time));
  std::map<double, Vector> at_times;  // The prescribed motions of all directions at each time.
  const auto prescribed = [&](double time) -> const Vector& {
    const auto [entry, is_new] = at_times.try_emplace(time);
    if (is_new) entry->second = inclusions.prescribed(time);
    return entry->second;
  };
  for (const Index j : suspicious)
    require_no_jump(
        outcome.directions[static_cast<std::size_t>(j)].name,
        [&](double time) { return prescribed(time)[j]; }, begin.time, end.time, begin.g[j], size[j]);
}

}  // namespace

/// The data and the iteration of a step of a system with a StateForce.
template <class Engine>
struct NonsmoothIntegrator<Engine>::Implementation {
  TrialLoad<Engine> trial_load;
  ColumnHistory columns;              ///< Columns of the tangents at the ends of steps.
  NonsmoothState begin;               ///< State at the beginning of the step.
  std::optional<NonsmoothState> end;  ///< State at the end of the step in the last trial.
  /// Whether load() adds perturbations of the size of rounding errors, to measure the effect of rounding.
  bool perturbs_load = false;

  NonsmoothState solve_step(NonsmoothIntegrator& method, const NonsmoothState& from, double limit,
                            std::vector<ContactEvent>& events);
  NonsmoothState advance_with_perturbed_load(NonsmoothIntegrator& method, const NonsmoothState& from,
                                             double limit, const std::optional<NonsmoothState>& before);
  void monitor(NonsmoothIntegrator& method, const NonsmoothState& from, const NonsmoothState& to);
};

template <class Engine>
NonsmoothIntegrator<Engine>::NonsmoothIntegrator(const Inclusions<Engine>& inclusions,
                                                 const InclusionOutcome& outcome)
    : inclusions_(inclusions), outcome_(outcome), implementation_(std::make_unique<Implementation>()) {}

template <class Engine>
NonsmoothIntegrator<Engine>::~NonsmoothIntegrator() = default;

/// Moves the inclusions and their outcome, but not the states `begin` and `end` of the present step, because
/// relinearize_at() may be called within a step and must not change these states.
template <class Engine>
NonsmoothIntegrator<Engine>& NonsmoothIntegrator<Engine>::operator=(NonsmoothIntegrator&& other) noexcept {
  inclusions_ = std::move(other.inclusions_);
  outcome_ = std::move(other.outcome_);
  implementation_->columns = {};
  return *this;
}

template <class Engine>
std::vector<Vector> NonsmoothObservation<Engine>::reactions() const {
  return inclusions_.split_reactions(state_.time, state_.r);
}

template <class Engine>
std::vector<ContactState> NonsmoothObservation<Engine>::contacts() const {
  return inclusions_.split_contacts(state_.contacts);
}

template <class Engine>
const AssembledMotion& NonsmoothObservation<Engine>::lift() const {
  if (!lifted_) lifted_ = inclusions_.lift(state_, state_.r);
  return *lifted_;
}

template <class Engine>
NonsmoothState NonsmoothObservation<Engine>::interpolate(double time) const {
  if (!step_)
    throw NotAvailable(
        "The state at " + seconds(time) +
        " was requested from the first point of a run or from a point of a stored trajectory, which have no "
        "dense output. Call interpolate() on the observation of a step.");
  const double begin = step_->begin.time, end = step_->end.time;
  if (!(time >= begin && time <= end))
    throw InvalidInput(
        "The state at " + seconds(time) + " was requested from the step from " + seconds(begin) + " to " +
        seconds(end) +
        ", which does not contain this time. Request the state from the observation of the step that "
        "contains this time.");
  return step_->integrator.interpolate(step_->begin, step_->end, (time - begin) / (end - begin));
}

template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::interpolate(const NonsmoothState& begin,
                                                        const NonsmoothState& end, double theta) const {
  NonsmoothState between = interpolate_step(begin, end, theta);
  between.time = begin.time + theta * (end.time - begin.time);
  return between;
}

template <class Engine>
void NonsmoothIntegrator<Engine>::step(NonsmoothState& state, std::vector<ContactEvent>& events) {
  check(state);
  NonsmoothState to = next(state, std::numeric_limits<double>::infinity(), events);
  recycled_ = std::move(state);
  state = std::move(to);
}

template <class Engine>
void NonsmoothIntegrator<Engine>::step(NonsmoothState& state) {
  std::vector<ContactEvent> events;
  step(state, events);
}

namespace {

/// Calls the observer on every process that has an observer. If any observer throws, all processes throw.
template <class Engine>
void call_observer(const NonsmoothObserver<Engine>& observer, const Inclusions<Engine>& inclusions,
                   const NonsmoothState& state, const std::vector<ContactEvent>& events,
                   const typename NonsmoothObservation<Engine>::Step* step = nullptr) {
  call_together(inclusions.reduced().communicator(), [&] {
    if (observer) observer(NonsmoothObservation<Engine>(inclusions, state, events, step));
  });
}

}  // namespace

template <class Engine>
void NonsmoothIntegrator<Engine>::run(NonsmoothState& state, double end_time,
                                      const NonsmoothObserver<Engine>& observer) {
  check_end_time(name(), state.time, end_time);
  check(state);
  std::vector<ContactEvent> events;
  call_observer(observer, inclusions_, state, events);
  while (state.time < end_time) {
    events.clear();
    NonsmoothState begin = std::exchange(state, next(state, end_time, events));
    const typename NonsmoothObservation<Engine>::Step step{*this, begin, state};
    call_observer(observer, inclusions_, state, events, &step);
    recycled_ = std::move(begin);
  }
}

template <class Engine>
void NonsmoothIntegrator<Engine>::run(NonsmoothState& state, const std::vector<double>& output_times,
                                      const NonsmoothObserver<Engine>& observer) {
  check_output_times(name(), state.time, output_times);
  check(state);
  NonsmoothState begin = state;
  std::vector<ContactEvent> pending;  // The events that the observer has not received yet.
  for (const double time : output_times) {
    while (state.time < time) {
      recycled_ = std::exchange(begin, std::exchange(state, next(state, output_times.back(), pending)));
    }
    const bool at_step = time == state.time;
    const double theta = at_step ? 1. : (time - begin.time) / (state.time - begin.time);
    NonsmoothState between = at_step ? state : interpolate(begin, state, theta);
    between.time = time;

    const auto later = std::stable_partition(pending.begin(), pending.end(),
                                             [&](const ContactEvent& event) { return event.end <= time; });
    const std::vector<ContactEvent> due_events(pending.begin(), later);
    pending.erase(pending.begin(), later);
    const typename NonsmoothObservation<Engine>::Step step{*this, begin, state};
    call_observer(observer, inclusions_, between, due_events, begin.time < state.time ? &step : nullptr);
  }
}

template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::interpolate_step(const NonsmoothState& begin,
                                                             const NonsmoothState& end, double theta) const {
  NonsmoothState between = end;
  const auto mean = [&](const Vector& first, const Vector& last) -> Vector {
    return (1 - theta) * first + theta * last;
  };
  between.y = mean(begin.y, end.y);
  between.r = mean(begin.r, end.r);
  between.w = mean(begin.w, end.w);
  between.g = mean(begin.g, end.g);
  between.impulse = mean(begin.impulse, end.impulse);
  between.dissipated = (1 - theta) * begin.dissipated + theta * end.dissipated;
  if (begin.dissipated_by.size() > 0 && end.dissipated_by.size() > 0)
    between.dissipated_by = mean(begin.dissipated_by, end.dissipated_by);
  else
    between.dissipated_by = theta * end.dissipated_by;
  between.carried.resize(0);
  return between;
}

template <class Engine>
void NonsmoothIntegrator<Engine>::check(const NonsmoothState& state) const {
  check_size(name(), reduced(), state);
  const Index m = inclusions_.n_directions();
  if (reduced().communicator().any(state.r.size() != m || state.w.size() != m || state.g.size() != m ||
                                   state.impulse.size() != m ||
                                   state.contacts.size() != inclusions_.acting().size()))
    throw InvalidInput("The state passed to " + name() + " has " + std::to_string(state.r.size()) +
                       " reactions, " + std::to_string(state.w.size()) + " rates, " +
                       std::to_string(state.g.size()) + " gaps and " + std::to_string(state.contacts.size()) +
                       " contact states, but the model has " + std::to_string(m) + " directions of " +
                       std::to_string(inclusions_.acting().size()) +
                       " inclusions. Compute the initial state with nonsmooth_start() of the same model.");
  check_finite(name(), reduced(), state);
}

template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::next(const NonsmoothState& from, double limit,
                                                 std::vector<ContactEvent>& events) {
  const StageTimer stage("step");
  std::vector<ContactEvent> step_events;
  NonsmoothState to = [&] {
    try {
      return from.method == name()
                 ? implementation_->solve_step(*this, from, limit, step_events)
                 : implementation_->solve_step(*this, without_carried_data(from), limit, step_events);
    } catch (const NoReactions& error) {
      throw NoReactions("The " + name() + " step from " + seconds(from.time) + " failed: " + error.what(),
                        error.residual(), error.inclusion());
    }
  }();
  to.method = name();
  if (!is_finite_and_bounded(reduced(), to)) throw_blow_up(name(), reduced(), from.time, to, advice());
  if (inclusions_.has_moving_supports()) require_obstacles_without_jumps(inclusions_, outcome_, from, to);
  if (reduced().depends_on_state()) implementation_->monitor(*this, from, to);
  events.insert(events.end(), step_events.begin(), step_events.end());
  return to;
}

template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::Implementation::solve_step(NonsmoothIntegrator& method,
                                                                       const NonsmoothState& from,
                                                                       double limit,
                                                                       std::vector<ContactEvent>& events) {
  const auto reduced = [&]() -> const ReducedSystem<Engine>& { return method.reduced(); };
  if (!reduced().depends_on_state()) return method.advance(from, limit, events);
  if (!method.is_implicit()) {
    // If the reactions cannot be computed with the present tangents, the tangents are updated.
    try {
      return method.advance(from, limit, events);
    } catch (const NoConvergence&) {
      events.clear();
      method.relinearize_at(from, from.r);
      return method.advance(from, limit, events);
    }
  }
  const auto parts = [&](const NonsmoothState& state) {
    std::vector<Vector> parts = parts_of(reduced(), state.y);
    parts.push_back(state.r);
    return parts;
  };
  begin = from;
  end.reset();
  perturbs_load = false;
  trial_load.begin(from.time);
  const auto what = [&] {
    return "The " + method.name() + " step from " + seconds(from.time) + " to " + seconds(end->time);
  };
  StepIteration iteration(reduced().linearized_state_force()->options.newton, reduced().communicator(), what,
                          parts(from));
  bool has_own_tangents = false;
  while (true) {
    const std::optional<NonsmoothState> before = end;
    events.clear();
    end = method.advance(from, limit, events);
    if (!has_own_tangents && method.needs_own_tangents(*end)) {
      method.relinearize_at(*end, method.reactions_for_state_force(*end, end->r));
      has_own_tangents = true;
      continue;
    }
    StepIteration::Decision decision = iteration.decide_after_trial(parts(*end));
    if (decision == StepIteration::Decision::measure_rounding)
      decision = iteration.decide_after_rounding_trial(
          parts(advance_with_perturbed_load(method, from, limit, before)));
    if (decision == StepIteration::Decision::converged) return *end;
    if (decision == StepIteration::Decision::update_tangents)
      method.relinearize_at(*end, method.reactions_for_state_force(*end, end->r));
  }
}

/// Repeats the last trial of a step with perturbations of the size of rounding errors in the state and the
/// load, to measure the effect of rounding. @param before end of the step in the second-to-last trial, from
/// which the last trial started; no value at the first trial
template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::Implementation::advance_with_perturbed_load(
    NonsmoothIntegrator& method, const NonsmoothState& from, double limit,
    const std::optional<NonsmoothState>& before) {
  NonsmoothState rounded = from;
  rounded.y = perturbed_by_rounding(std::move(rounded.y));
  rounded.g = perturbed_by_rounding(std::move(rounded.g));
  const std::optional<NonsmoothState> last = std::exchange(end, before);
  std::vector<ContactEvent> events;
  perturbs_load = true;
  NonsmoothState trial = method.advance(rounded, limit, events);
  perturbs_load = false;
  end = last;
  return trial;
}

/// Updates the tangents if DoFs have changed their kind, or if the method cannot continue with the present
/// tangents (may_keep_tangents()).
template <class Engine>
void NonsmoothIntegrator<Engine>::Implementation::monitor(NonsmoothIntegrator& method,
                                                          const NonsmoothState& from,
                                                          const NonsmoothState& to) {
  const bool has_same_kinds = !monitors_kinds(method.reduced()) ||
                              method.reduced().check_kinds(to, method.inclusions().H().force(to.r), columns);
  if (!has_same_kinds || !method.may_keep_tangents(from, to)) method.relinearize_at(to, to.r);
}

template <class Engine>
void NonsmoothIntegrator<Engine>::relinearize_at(const State& state, const Vector& r) {
  const Inclusions<Engine> inclusions(
      evaluate_at_iterate(state.time,
                          [&] { return reduced().relinearized(state, inclusions_.H().force(r)); }),
      inclusions_.given());
  const InclusionOutcome outcome = classify_inclusions(inclusions, outcome_.options);
  rebuild(inclusions, outcome);
  inclusions_ = inclusions;
  outcome_ = outcome;
  implementation_->trial_load.forget_tangents();
}

template <class Engine>
Vector NonsmoothIntegrator<Engine>::load(double time) {
  if (!reduced().depends_on_state()) return reduced().linear_load(time);
  const NonsmoothState& begin = implementation_->begin;
  const std::optional<NonsmoothState>& end = implementation_->end;
  NonsmoothState at = begin;
  if (end && time != begin.time)
    at = time == end->time ? *end : interpolate(begin, *end, (time - begin.time) / (end->time - begin.time));
  at.time = time;
  const Vector r = reactions_for_state_force(at, end ? end->r : begin.r);
  Vector F = implementation_->trial_load(reduced(), at, r, inclusions_.H().force(r));
  if (implementation_->perturbs_load) F += force_rounding(reduced(), at, F);
  return F;
}

template class NonsmoothObservation<InstantiatedEngine>;
template class NonsmoothIntegrator<InstantiatedEngine>;

}  // namespace halfdof
