#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/delassus.h>
#include <halfdof/integrators/nonsmooth_alpha.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>

namespace halfdof {

namespace {

/// B H, of the directions that act by impulses alone.
template <class Engine>
MultiVector jumps_of(const Inclusions<Engine>& inclusions, const std::vector<DirectionRule>& rules) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Index m = inclusions.n_directions();
  MultiVector jumps(reduced.n_local_states(), m);
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    jumps.middleCols(first, n) = reduced.input(inclusions.H().columns(first, n));
  }
  for (Index j = 0; j < m; ++j)
    if (rules[static_cast<std::size_t>(j)].is_blended) jumps.col(j).setZero();
  return jumps;
}

}  // namespace

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
  if (rho_ < 1) jumps_ = jumps_of(inclusions, this->rules());
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

// The right-hand side of GeneralizedAlpha.
template <class Engine>
auto NonsmoothAlpha<Engine>::linear_part(const NonsmoothState& from, double /*step*/, double end,
                                         double sigma) -> typename StageIntegrator<Engine>::LinearPart {
  const auto& reduced = this->reduced();
  const double alpha_f = 1 / (1 + rho_);
  // As the reactions, the load is the mean of both ends: algebraic DoFs at the end are then those of its
  // load.
  const Vector load = (1 - alpha_f) * this->load(from.time) + alpha_f * this->load(end);
  Vector rhs = elastic_residual(reduced, from.y, load);
  Vector offset = reduced.v_I(from.y);
  if (rho_ == 1) {
    rhs += momentum(reduced, sigma * offset);
    return {rhs, offset, std::nullopt};
  }
  rate_ = smooth_rate(from);
  const Vector b = (1 - rho_) / 2 * rate_;
  offset += reduced.q_I(b);
  rhs += momentum(reduced, sigma * offset + reduced.v_I(b));
  const Vector b_q = reduced.displacement_states(b);
  reduced.free().C().add_product(1., b_q, rhs);
  return {rhs, offset, Vector(b_q)};
}

template <class Engine>
Vector NonsmoothAlpha<Engine>::remember(double step, const Vector& delta, const Vector& r) {
  if (rho_ == 1) return {};
  // y_{n+1} - y_n = (1 + rho) delta, of which the jump is h jumps r.
  const double gamma = 1 / (1 + rho_);
  rate_ = (1 + rho_) / (gamma * step) * delta - combination(jumps_, r) / gamma - (1 - gamma) / gamma * rate_;
  return rate_;
}

template class NonsmoothAlpha<InstantiatedEngine>;

}  // namespace halfdof
