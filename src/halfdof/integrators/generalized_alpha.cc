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
  // The right-hand side (2) of ImplicitStep with c = 1 and b = (1 - rho_inf) / 2 y'_n.
  Vector rhs = elastic_residual(reduced, from.y, reduced.load(from.time + step / (1 + rho_)));
  Vector offset = reduced.v_I(from.y);
  if (rho_ < 1) {
    const Vector b = (1 - rho_) / 2 * rate_;
    offset += reduced.q_I(b);
    rhs += momentum(reduced, implicit.sigma() * offset + reduced.v_I(b));
    reduced.free().C().add_product(1., reduced.displacement_states(b), rhs);
  } else {
    rhs += momentum(reduced, implicit.sigma() * offset);
  }
  const Vector delta = implicit.increment(rhs, offset);
  if (rho_ < 1) rate_ = (1 + rho_) * (1 + rho_) / step * delta - rho_ * rate_;
  return from.y + (1 + rho_) * delta;
}

template class GeneralizedAlpha<InstantiatedEngine>;

}  // namespace halfdof
