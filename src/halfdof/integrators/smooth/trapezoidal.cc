// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/integrators/smooth/implicit_step.h>
#include <halfdof/linear_algebra/instantiate.h>

namespace halfdof {

using namespace internal;

template <class Engine>
Trapezoidal<Engine>::Trapezoidal(const ReducedSystem<Engine>& reduced, double time_step)
    : FixedStepIntegrator<Engine>(reduced, "the trapezoidal rule", time_step) {}

template <class Engine>
void Trapezoidal<Engine>::start(const State& state) {
  FixedStepIntegrator<Engine>::start(state);
  load_ = this->reduced().load(state);
}

template <class Engine>
Vector Trapezoidal<Engine>::take_step(const State& from, double step, double end) {
  const auto& reduced = this->reduced();
  const ImplicitStep<Engine, double>& implicit = this->implicit_step(step, 2 / step);
  next_load_ = this->load(end);
  rhs_ = 0.5 * (load_ + next_load_);
  add_state_forces(reduced, implicit.sigma(), from.y, rhs_);
  Vector y = this->recycled();
  y = from.y;
  implicit.add_state_increment(2., implicit.solve(rhs_).col(0), reduced.v_I(from.y), y);
  return y;
}

template <class Engine>
void Trapezoidal<Engine>::forget_tangents(const State& from) {
  FixedStepIntegrator<Engine>::forget_tangents(from);
  load_ = this->reduced().load(from);
}

template class Trapezoidal<InstantiatedEngine>;

}  // namespace halfdof
