// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/smooth/implicit_step.h>
#include <halfdof/integrators/smooth/integrator.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/integrators/time_grid.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/force_rounding.h>
#include <halfdof/reduction/linearized_state_force.h>

#include <utility>

namespace halfdof {

using namespace internal;

template <class Engine>
struct FixedStepIntegrator<Engine>::Implementation {
  TimeGrid grid;
  PerStepLength<ImplicitStep<Engine, double>> implicit_steps;
  TrialLoad<Engine> trial_load;
  State begin;               ///< State at the beginning of the step.
  std::optional<State> end;  ///< State at the end of the step in the last trial.
  /// Whether load() adds perturbations of the size of rounding errors, to measure the effect of rounding.
  bool perturbs_load = false;

  Vector solve_step(FixedStepIntegrator& method, const State& from, const TimeGrid::Step& step);
  Vector take_step_with_perturbed_load(FixedStepIntegrator& method, const State& from,
                                       const TimeGrid::Step& step, const std::optional<State>& before);
};

template <class Engine>
FixedStepIntegrator<Engine>::FixedStepIntegrator(const ReducedSystem<Engine>& reduced, const char* name,
                                                 double time_step)
    : Integrator<Engine>(reduced),
      time_step_(time_step),
      implementation_(std::make_unique<Implementation>()) {
  check_time_step(name, time_step);
}

template <class Engine>
FixedStepIntegrator<Engine>::~FixedStepIntegrator() = default;
template <class Engine>
FixedStepIntegrator<Engine>::FixedStepIntegrator(FixedStepIntegrator&&) noexcept = default;
template <class Engine>
FixedStepIntegrator<Engine>& FixedStepIntegrator<Engine>::operator=(FixedStepIntegrator&&) noexcept = default;

template <class Engine>
void FixedStepIntegrator<Engine>::start(const State& state) {
  implementation_->grid = {state.time, 0};
}

template <class Engine>
State FixedStepIntegrator<Engine>::advance(const State& from, double limit) {
  TimeGrid& grid = implementation_->grid;
  const TimeGrid::Step step = grid.next(this->name(), time_step_, from.time, limit);
  State to{step.end, implementation_->solve_step(*this, from, step)};
  accept();
  grid = grid.after(step);
  return to;
}

template <class Engine>
void FixedStepIntegrator<Engine>::forget_tangents(const State&) {
  implementation_->implicit_steps = {};
}

template <class Engine>
std::string FixedStepIntegrator<Engine>::advice() const {
  return a_stable_advice;
}

template <class Engine>
const ImplicitStep<Engine, double>& FixedStepIntegrator<Engine>::implicit_step(double step, double sigma) {
  return implementation_->implicit_steps.get_or_make(
      step, time_step_, [&] { return ImplicitStep<Engine, double>(this->reduced(), sigma, this->name()); });
}

template <class Engine>
Vector FixedStepIntegrator<Engine>::Implementation::solve_step(FixedStepIntegrator& method, const State& from,
                                                               const TimeGrid::Step& step) {
  if (!method.reduced().depends_on_state() || !method.is_implicit())
    return method.take_step(from, step.length, step.end);
  begin = from;
  end.reset();
  perturbs_load = false;
  trial_load.begin(from.time);
  const auto parts = [&method](const Vector& y) { return parts_of(method.reduced(), y); };
  const auto what = [&] {
    return "The " + method.name() + " step from " + seconds(from.time) + " to " + seconds(step.end);
  };
  StepIteration iteration(method.reduced().linearized_state_force()->options.newton,
                          method.reduced().communicator(), what, parts(from.y));
  while (true) {
    const std::optional<State> before = end;
    end = State{step.end, method.take_step(from, step.length, step.end)};
    StepIteration::Decision decision = iteration.decide_after_trial(parts(end->y));
    if (decision == StepIteration::Decision::measure_rounding)
      decision = iteration.decide_after_rounding_trial(
          parts(take_step_with_perturbed_load(method, from, step, before)));
    if (decision == StepIteration::Decision::converged) return end->y;
    if (decision == StepIteration::Decision::update_tangents) {
      method.update_tangents(*end, from);
      trial_load.forget_tangents();
    }
  }
}

/// Repeats the last trial with a load that is perturbed by rounding errors.
/// @param before the state at the end of the trial before the last one
template <class Engine>
Vector FixedStepIntegrator<Engine>::Implementation::take_step_with_perturbed_load(
    FixedStepIntegrator& method, const State& from, const TimeGrid::Step& step,
    const std::optional<State>& before) {
  const std::optional<State> last = std::exchange(end, before);
  perturbs_load = true;
  Vector y = method.take_step(from, step.length, step.end);
  perturbs_load = false;
  end = last;
  return y;
}

template <class Engine>
Vector FixedStepIntegrator<Engine>::load(double time) {
  const ReducedSystem<Engine>& reduced = this->reduced();
  if (!reduced.depends_on_state()) return reduced.linear_load(time);
  const State& begin = implementation_->begin;
  const std::optional<State>& end = implementation_->end;
  State at{time, begin.y};
  if (end && time != begin.time)
    at.y = time == end->time
               ? end->y
               : this->interpolate_step(begin, *end, (time - begin.time) / (end->time - begin.time));
  Vector F = implementation_->trial_load(reduced, at, {}, Vector::Zero(reduced.free().dofs().n_local()));
  if (implementation_->perturbs_load) F += force_rounding(reduced, at, F);
  return F;
}

template class FixedStepIntegrator<InstantiatedEngine>;

}  // namespace halfdof
