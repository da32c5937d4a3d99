// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/smooth/integrator.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>

#include <limits>
#include <utility>

namespace halfdof {

using namespace internal;

template <class Engine>
const AssembledMotion& Observation<Engine>::lift() const {
  if (!lifted_) lifted_ = reduced_.lift(state_);
  return *lifted_;
}

template <class Engine>
State Observation<Engine>::interpolate(double time) const {
  if (!integrator_)
    throw NotAvailable(
        "The state at " + seconds(time) +
        " was requested from a point of a trajectory that is stored without its integrator, so that there is "
        "no dense output. Give this time to run() as an output time instead.");
  return integrator_->interpolate(time);
}

template <class Engine>
void Integrator<Engine>::step(State& state) {
  begin(state);
  step_to(state, std::numeric_limits<double>::infinity());
}

namespace {

/// Calls the observer on every process that has an observer. If any observer throws, all processes throw.
template <class Engine>
void call_observer(const Observer<Engine>& observer, const ReducedSystem<Engine>& reduced, const State& state,
                   const Integrator<Engine>* integrator) {
  call_together(reduced.communicator(), [&] {
    if (observer) observer(Observation<Engine>(reduced, state, integrator));
  });
}

}  // namespace

template <class Engine>
void Integrator<Engine>::run(State& state, double end_time, const Observer<Engine>& observer) {
  check_end_time(name(), state.time, end_time);
  begin(state);
  call_observer(observer, reduced_, state, this);
  while (state.time < end_time) {
    step_to(state, end_time);
    call_observer(observer, reduced_, state, this);
  }
}

template <class Engine>
void Integrator<Engine>::run(State& state, const std::vector<double>& output_times,
                             const Observer<Engine>& observer) {
  check_output_times(name(), state.time, output_times);
  begin(state);
  for (const double time : output_times) {
    while (state.time < time)
      step_to(state, output_times.back());
    const State between = time == state.time ? State{} : interpolate(time);
    call_observer(observer, reduced_, time == state.time ? state : between, this);
  }
}

template <class Engine>
State Integrator<Engine>::interpolate(double time) const {
  if (reached_ && time == reached_->time) return *reached_;
  if (previous_ && time == previous_->time) return *previous_;
  if (!previous_ || !(time > previous_->time && time < reached_->time))
    throw InvalidInput(
        "The state at " + seconds(time) + " was requested from the dense output of " + name() +
        ", which covers " +
        (previous_
             ? "only the last step, from " + seconds(previous_->time) + " to " + seconds(reached_->time) + "."
             : std::string("only the last step, and no step has been taken yet.")) +
        " Request the state before the next step, or give this time to run() as an output time.");
  const double theta = (time - previous_->time) / (reached_->time - previous_->time);
  return {time, interpolate_step(*previous_, *reached_, theta)};
}

template <class Engine>
Vector Integrator<Engine>::interpolate_step(const State& begin, const State& end, double theta) const {
  return (1 - theta) * begin.y + theta * end.y;
}

template <class Engine>
void Integrator<Engine>::begin(const State& state) {
  check_size(name(), reduced_, state);
  const bool known = reached_ && reached_->time == state.time && reached_->y == state.y;
  if (!reduced_.communicator().any(!known)) return;
  check_finite(name(), reduced_, state);
  previous_.reset();
  reached_ = state;
  start(state);
}

template <class Engine>
void Integrator<Engine>::step_to(State& state, double limit) {
  const StageTimer stage("step");
  State next;
  try {
    next = advance(state, limit);
    if (!is_finite_and_bounded(reduced_, next)) throw_blow_up(name(), reduced_, state.time, next, advice());
    if (monitors_kinds(reduced_)) monitor(next);
  } catch (...) {
    previous_.reset();
    reached_.reset();  // The data of the method may belong to an unfinished step and must be computed again.
    throw;
  }
  std::swap(previous_, reached_);
  reached_ = next;
  std::swap(state, next);
  recycled_ = std::move(next.y);
}

template <class Engine>
void Integrator<Engine>::monitor(const State& end) {
  if (!reduced_.check_kinds(end, Vector::Zero(reduced_.free().dofs().n_local()), columns_))
    update_tangents(end, end);
}

template <class Engine>
void Integrator<Engine>::update_tangents(const State& state, const State& from) {
  reduced_ = evaluate_at_iterate(state.time, [&] { return reduced_.relinearized(state); });
  forget_tangents(from);
}

template class Observation<InstantiatedEngine>;
template class Integrator<InstantiatedEngine>;

}  // namespace halfdof
