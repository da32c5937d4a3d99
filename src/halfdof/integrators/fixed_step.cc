#include <halfdof/integrators/fixed_step.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/force_rounding.h>
#include <halfdof/reduction/state_dependence.h>

#include <utility>

namespace halfdof {

template <class Engine>
FixedStepIntegrator<Engine>::FixedStepIntegrator(const ReducedSystem<Engine>& reduced, const char* name,
                                                 double time_step)
    : Integrator<Engine>(reduced), time_step_(time_step) {
  check_time_step(name, time_step);
}

template <class Engine>
void FixedStepIntegrator<Engine>::start(const State& state) {
  grid_ = {state.time, 0};
}

template <class Engine>
State FixedStepIntegrator<Engine>::advance(const State& from, double limit) {
  const TimeGrid::Step step = grid_.next(this->name(), time_step_, from.time, limit);
  State to{step.end, solve_step(from, step)};
  accept();
  grid_ = grid_.after(step);
  return to;
}

template <class Engine>
Vector FixedStepIntegrator<Engine>::solve_step(const State& from, const TimeGrid::Step& step) {
  if (!this->reduced().depends_on_state() || !is_implicit()) return take_step(from, step.length, step.end);
  begin_ = from;
  end_.reset();
  rounds_otherwise_ = false;
  trial_load_.begin(from.time);
  const auto parts = [this](const Vector& y) { return parts_of(this->reduced(), y); };
  const auto what = [&] {
    return "The " + this->name() + " step from " + seconds(from.time) + " to " + seconds(step.end);
  };
  StepIteration iteration(this->reduced().state_dependence()->options.newton, this->reduced().communicator(),
                          what, parts(from.y));
  while (true) {
    const std::optional<State> before = end_;
    end_ = State{step.end, take_step(from, step.length, step.end)};
    StepIteration::Verdict verdict = iteration.judge(parts(end_->y));
    if (verdict == StepIteration::Verdict::measure_rounding)
      verdict = iteration.judge_rounding(parts(take_step_with_other_rounding(from, step, before)));
    if (verdict == StepIteration::Verdict::converged) return end_->y;
    if (verdict == StepIteration::Verdict::renew_tangents) {
      this->renew_tangents(*end_, from);
      trial_load_.forget_tangents();
    }
  }
}

/// The last trial once more. @param before The end that it started from
template <class Engine>
Vector FixedStepIntegrator<Engine>::take_step_with_other_rounding(const State& from,
                                                                  const TimeGrid::Step& step,
                                                                  const std::optional<State>& before) {
  const std::optional<State> last = std::exchange(end_, before);
  rounds_otherwise_ = true;
  Vector y = take_step(from, step.length, step.end);
  rounds_otherwise_ = false;
  end_ = last;
  return y;
}

template <class Engine>
Vector FixedStepIntegrator<Engine>::load(double time) {
  const ReducedSystem<Engine>& reduced = this->reduced();
  if (!reduced.depends_on_state()) return reduced.linear_load(time);
  State at{time, begin_.y};
  if (end_ && time != begin_.time)
    at.y = time == end_->time
               ? end_->y
               : this->interpolate_step(begin_, *end_, (time - begin_.time) / (end_->time - begin_.time));
  Vector F = trial_load_(reduced, at, {}, Vector::Zero(reduced.free().dofs().n_local()));
  if (rounds_otherwise_) F += force_rounding(reduced, at, F);
  return F;
}

template class FixedStepIntegrator<InstantiatedEngine>;

}  // namespace halfdof
