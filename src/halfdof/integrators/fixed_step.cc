#include <halfdof/integrators/fixed_step.h>
#include <halfdof/linear_algebra/instantiate.h>

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
  State to{step.end, take_step(from, step.length, step.end)};
  grid_ = grid_.after(step);
  return to;
}

template class FixedStepIntegrator<InstantiatedEngine>;

}  // namespace halfdof
