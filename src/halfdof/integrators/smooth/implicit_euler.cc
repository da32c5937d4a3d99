// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/integrators/smooth/implicit_step.h>
#include <halfdof/linear_algebra/instantiate.h>

namespace halfdof {

using namespace internal;

template <class Engine>
ImplicitEuler<Engine>::ImplicitEuler(const ReducedSystem<Engine>& reduced, double time_step)
    : FixedStepIntegrator<Engine>(reduced, "implicit Euler", time_step) {}

template <class Engine>
Vector ImplicitEuler<Engine>::take_step(const State& from, double step, double end) {
  const auto& reduced = this->reduced();
  const ImplicitStep<Engine, double>& implicit = this->implicit_step(step, 1 / step);
  Vector rhs = this->load(end);
  add_state_forces(reduced, implicit.sigma(), from.y, rhs);
  Vector y = this->recycled();
  y = from.y;
  implicit.add_state_increment(1., implicit.solve(rhs).col(0), reduced.v_I(from.y), y);
  return y;
}

template class ImplicitEuler<InstantiatedEngine>;

}  // namespace halfdof
