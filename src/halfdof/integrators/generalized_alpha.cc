#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/generalized_alpha.h>
#include <halfdof/linear_algebra/instantiate.h>

namespace halfdof {

template <class Engine>
GeneralizedAlpha<Engine>::GeneralizedAlpha(const ReducedSystem<Engine>& reduced, double time_step,
                                           const GeneralizedAlphaOptions& options)
    : FixedStepIntegrator<Engine>(reduced, "generalized-alpha", time_step), rho_(options.spectral_radius) {
  if (!(rho_ >= 0 && rho_ <= 1))
    throw InvalidInput(
        "The spectral radius of generalized-alpha is " + number_text(rho_) +
        ". Give a number from 0 (infinitely stiff motions vanish in one step) to 1 (the midpoint "
        "rule).");
}

template <class Engine>
void GeneralizedAlpha<Engine>::start(const State& state) {
  FixedStepIntegrator<Engine>::start(state);
  if (rho_ < 1) rate_ = this->reduced().apply(state);
}

template <class Engine>
Vector GeneralizedAlpha<Engine>::take_step(const State& from, double step, double) {
  const auto& reduced = this->reduced();
  const auto& implicit = implicit_.get(step, this->time_step(), [&]() {
    return ImplicitStep<Engine, double>(reduced, (3 - rho_) * (1 + rho_) / (2 * step), this->name());
  });
  Vector rhs = this->load(from.time + step / (1 + rho_));
  if (rho_ == 1) {
    add_state_forces(reduced, implicit.sigma(), from.y, rhs);
    return from.y + 2 * implicit.increment(rhs, reduced.v_I(from.y));
  }
  // (2) and (3) of ImplicitStep with c = 1 and b = (1 - rho_inf) / 2 y'_n, for x - b_q / sigma: without C b_q.
  const Vector shift = (1 - rho_) / (2 * implicit.sigma()) * rate_;
  add_state_forces(reduced, implicit.sigma(), from.y + shift, rhs);
  Vector delta = implicit.increment(rhs, reduced.v_I(from.y));
  reduced.q(delta) += reduced.q(shift);
  next_rate_ = (1 + rho_) * (1 + rho_) / step * delta - rho_ * rate_;
  return from.y + (1 + rho_) * delta;
}

template class GeneralizedAlpha<InstantiatedEngine>;

}  // namespace halfdof
