#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth_alpha.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <utility>

namespace halfdof {

template <class Engine>
NonsmoothAlpha<Engine>::NonsmoothAlpha(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                       double time_step, const NonsmoothAlphaOptions& options)
    : StageIntegrator<Engine>(inclusions, outcome, "nonsmooth generalized-alpha", time_step,
                              velocity_rules(outcome),
                              {(3 - options.spectral_radius) * (1 + options.spectral_radius) / 2,
                               1 / (1 + options.spectral_radius)}),
      rho_(options.spectral_radius) {
  if (!(rho_ >= 0 && rho_ <= 1))
    throw InvalidInput(
        "The spectral radius of the nonsmooth generalized-alpha method is " + number_text(rho_) +
        ". Give a number from 0 (infinitely stiff motions vanish in one step) to 1 (nothing is damped).");
  if (rho_ < 1) input_.emplace(inclusions, outcome.options);
}

template <class Engine>
Vector NonsmoothAlpha<Engine>::smooth_rate(const NonsmoothState& from) const {
  const Vector remembered = this->remembered(from);
  if (!this->reduced().communicator().any(remembered.size() != from.y.size())) return remembered;
  Vector r = from.r;
  for (Index j = 0; j < r.size(); ++j)
    if (!this->rules()[static_cast<std::size_t>(j)].is_blended) r[j] = 0;
  return this->inclusions().derivative(from, r);
}

// That of GeneralizedAlpha; P_h b_q / sigma = sigma M b_q + C b_q + K b_q / sigma spares the product with C.
template <class Engine>
auto NonsmoothAlpha<Engine>::linear_part(const NonsmoothState& from, double /*step*/, double end,
                                         double sigma) -> typename StageIntegrator<Engine>::LinearPart {
  const auto& reduced = this->reduced();
  const double alpha_f = 1 / (1 + rho_);
  // As the reactions, the load is the mean of both ends: algebraic DoFs at the end are then those of its
  // load.
  const Vector load = (1 - alpha_f) * this->load(from.time) + alpha_f * this->load(end);
  const Vector v_I = reduced.v_I(from.y);
  if (rho_ == 1)
    return {elastic_residual(reduced, from.y, load) + momentum(reduced, sigma * v_I), v_I, std::nullopt, {}};
  Vector rate = smooth_rate(from);
  const double part = (1 - rho_) / 2;  // of the rate, b
  return {elastic_residual(reduced, from.y + part / sigma * rate, load) +
              momentum(reduced, sigma * v_I + part * reduced.v_I(rate)),
          v_I + part * reduced.q_I(rate), part * reduced.displacement_states(rate), std::move(rate)};
}

template <class Engine>
Vector NonsmoothAlpha<Engine>::remember(double step,
                                        const typename StageIntegrator<Engine>::LinearPart& linear,
                                        const Vector& delta, const Vector& r) {
  if (rho_ == 1) return {};
  // y_{n+1} - y_n = (1 + rho) delta, of which the jump is h B H r with the r that act by impulses.
  Vector impulsive = r;
  for (Index j = 0; j < r.size(); ++j)
    if (this->rules()[static_cast<std::size_t>(j)].is_blended) impulsive[j] = 0;
  const double gamma = 1 / (1 + rho_);
  return (1 + rho_) / (gamma * step) * delta - input_->apply(impulsive) / gamma -
         (1 - gamma) / gamma * linear.for_memory;
}

template class NonsmoothAlpha<InstantiatedEngine>;

}  // namespace halfdof
