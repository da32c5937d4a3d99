#include <halfdof/integrators/trapezoidal.h>
#include <halfdof/linear_algebra/instantiate.h>

namespace halfdof {

template <class Engine>
Trapezoidal<Engine>::Trapezoidal(const ReducedSystem<Engine>& reduced, double time_step)
    : FixedStepIntegrator<Engine>(reduced, "the trapezoidal rule", time_step) {}

template <class Engine>
void Trapezoidal<Engine>::start(const State& state) {
  FixedStepIntegrator<Engine>::start(state);
  load_ = this->reduced().load(state.time);
}

template <class Engine>
Vector Trapezoidal<Engine>::take_step(const State& from, double step, double end) {
  const auto& reduced = this->reduced();
  const auto& implicit = implicit_.get(step, this->time_step(), [&]() {
    return ImplicitStep<Engine, double>(reduced, 2 / step, this->name());
  });
  const Vector load_end = reduced.load(end);
  const Vector v_I = reduced.v_I(from.y);
  const Vector rhs =
      elastic_residual(reduced, from.y, 0.5 * (load_ + load_end)) + momentum(reduced, implicit.sigma() * v_I);
  load_ = load_end;
  return from.y + 2 * implicit.increment(rhs, v_I);
}

template class Trapezoidal<InstantiatedEngine>;

}  // namespace halfdof
