// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/integrators/smooth/implicit_step.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_parts.h>

namespace halfdof {

using namespace internal;

template <class Engine>
GeneralizedAlpha<Engine>::GeneralizedAlpha(const ReducedSystem<Engine>& reduced, double time_step,
                                           const GeneralizedAlphaOptions& options)
    : FixedStepIntegrator<Engine>(reduced, "generalized-alpha", time_step), rho_(options.spectral_radius) {
  if (!(rho_ >= 0 && rho_ <= 1))
    throw InvalidInput(
        "The spectral radius of generalized-alpha is " + number_text(rho_) +
        ". Give a number from 0 (infinitely stiff motions vanish in one step) to 1 (the midpoint rule).");
}

template <class Engine>
void GeneralizedAlpha<Engine>::start(const State& state) {
  FixedStepIntegrator<Engine>::start(state);
  if (rho_ < 1) rate_ = this->reduced().apply(state);
}

template <class Engine>
Vector GeneralizedAlpha<Engine>::take_step(const State& from, double step, double) {
  const auto& reduced = this->reduced();
  const ImplicitStep<Engine, double>& implicit =
      this->implicit_step(step, (3 - rho_) * (1 + rho_) / (2 * step));
  Vector rhs = this->load(from.time + step / (1 + rho_)), y = this->recycled();
  if (rho_ == 1) {
    add_state_forces(reduced, implicit.sigma(), from.y, rhs);
    y = from.y;
    implicit.add_state_increment(2., implicit.solve(rhs).col(0), reduced.v_I(from.y), y);
    return y;
  }
  // Equations (2) and (3) of ImplicitStep with c = 1 and b = (1 - rho_inf) / 2 y'_n are solved for the
  // unknown x - b_q / sigma instead of x, which avoids the product C b_q.
  const double shift = (1 - rho_) / (2 * implicit.sigma());
  y = from.y + shift * rate_;
  add_state_forces(reduced, implicit.sigma(), y, rhs);
  Vector& delta = next_rate_;
  implicit.set_state_increment(implicit.solve(rhs).col(0), reduced.v_I(from.y), delta);
  displacement_part(reduced, delta) += shift * displacement_part(reduced, rate_);
  y = from.y + (1 + rho_) * delta;
  next_rate_ = (1 + rho_) * (1 + rho_) / step * delta - rho_ * rate_;
  return y;
}

template class GeneralizedAlpha<InstantiatedEngine>;

}  // namespace halfdof
