#include <halfdof/integrators/implicit_euler.h>
#include <halfdof/linear_algebra/instantiate.h>

namespace halfdof {

template <class Engine>
ImplicitEuler<Engine>::ImplicitEuler(const ReducedSystem<Engine>& reduced, double time_step)
    : FixedStepIntegrator<Engine>(reduced, "implicit Euler", time_step) {}

template <class Engine>
Vector ImplicitEuler<Engine>::take_step(const State& from, double step, double end) {
  const auto& reduced = this->reduced();
  const auto& implicit = implicit_.get(step, this->time_step(), [&]() {
    return ImplicitStep<Engine, double>(reduced, 1 / step, this->name());
  });
  Vector rhs = this->load(end);
  add_state_forces(reduced, implicit.sigma(), from.y, rhs);
  Vector y = this->recycled();
  y = from.y;
  implicit.add_state_increment(1., implicit.solve(rhs).col(0), reduced.v_I(from.y), y);
  return y;
}

template class ImplicitEuler<InstantiatedEngine>;

}  // namespace halfdof
