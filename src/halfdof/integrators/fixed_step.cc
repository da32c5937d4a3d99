#include <halfdof/integrators/fixed_step.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_dependence.h>

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
  trial_load_.begin(from.time);
  StepIteration iteration(this->reduced().state_dependence()->options.newton, this->reduced().communicator(),
                          this->name(), from.time, step.end, parts_of(this->reduced(), from.y));
  while (true) {
    end_ = State{step.end, take_step(from, step.length, step.end)};
    switch (iteration.judge(parts_of(this->reduced(), end_->y))) {
      case StepIteration::Verdict::converged:
        return end_->y;
      case StepIteration::Verdict::renew_tangents:
        this->renew_tangents(*end_, from);
        trial_load_.forget_tangents();
        break;
      case StepIteration::Verdict::repeat:
        break;
    }
  }
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
  return trial_load_(reduced, at, Vector::Zero(reduced.free().dofs().n_local()));
}

template class FixedStepIntegrator<InstantiatedEngine>;

}  // namespace halfdof
