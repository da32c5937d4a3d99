#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth_alpha.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_dependence.h>

namespace halfdof {

namespace {

double checked_radius(double rho) {
  if (rho >= 0 && rho <= 1) return rho;
  throw InvalidInput(
      "The spectral radius of the nonsmooth generalized-alpha method is " + number_text(rho) +
      ". Give a number from 0 (infinitely stiff motions vanish in one step) to 1 (nothing is damped).");
}

}  // namespace

template <class Engine>
NonsmoothAlpha<Engine>::NonsmoothAlpha(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                       double time_step, const NonsmoothAlphaOptions& options)
    : StageIntegrator<Engine>(
          inclusions, outcome, "nonsmooth generalized-alpha", time_step, velocity_rules(outcome),
          {(3 - checked_radius(options.spectral_radius)) * (1 + options.spectral_radius) / 2,
           1 / (1 + options.spectral_radius)}),
      rho_(options.spectral_radius) {
  if (rho_ == 1) return;
  const std::vector<Index> sweeping = outcome.directions_in(Cell::sweeping_process);
  if (!sweeping.empty() && this->reduced().depends_on_state() &&
      this->reduced().state_dependence()->has_damping())
    throw NotAvailable(
        "The nonsmooth generalized-alpha method tells smooth rates from those that contacts on viscous "
        "degrees of freedom make, such as \"" +
        outcome.directions[static_cast<std::size_t>(sweeping.front())].name +
        "\", by a damping that stays, and the state force of this system changes damping. Take Moreau-Jean, "
        "or a spectral radius of 1, which remembers no rates.");
  for (const DirectionRule& rule : this->rules())
    is_impulse_.push_back(!rule.is_blended);
  input_.emplace(inclusions, is_impulse_, outcome.options);
}

template <class Engine>
Vector NonsmoothAlpha<Engine>::met_reactions(const NonsmoothState& at, const Vector& r) const {
  Vector met = StageIntegrator<Engine>::met_reactions(at, r);
  if (this->has_state_mass() && rho_ < 1)
    for (Index j = 0; j < met.size(); ++j)
      if (this->rules()[static_cast<std::size_t>(j)].met == MetAt::impact) met[j] = 0;
  return met;
}

template <class Engine>
bool NonsmoothAlpha<Engine>::needs_own_tangents(const NonsmoothState& trial) const {
  return met_reactions(trial, trial.r) != trial.r;
}

/// y' at a start, where no impulse has acted.
template <class Engine>
Vector NonsmoothAlpha<Engine>::first_rate(const NonsmoothState& from) const {
  Vector r = from.r;
  for (Index j = 0; j < r.size(); ++j)
    if (is_impulse_[static_cast<std::size_t>(j)]) r[j] = 0;
  return this->inclusions().derivative(from, r);
}

// b = (1 - rho_inf) / (2 sigma) y~'_n: as in GeneralizedAlpha, where b of ImplicitStep is sigma times as
// large.
template <class Engine>
std::optional<Vector> NonsmoothAlpha<Engine>::shift(const NonsmoothState& from, double sigma,
                                                    Vector& rhs) const {
  if (rho_ == 1) return std::nullopt;
  const double part = (1 - rho_) / (2 * sigma);
  if (!this->remembers(from)) return part * first_rate(from);
  input_->add_momentum(-part * sigma, from.memory.tail(from.r.size()), rhs);
  return part * from.memory.tail(n_remembered()).head(from.y.size());
}

template <class Engine>
Index NonsmoothAlpha<Engine>::n_remembered() const {
  return rho_ == 1 ? 0 : this->reduced().n_local_states() + this->inclusions().n_directions();
}

// y~'_{n+1} = ((y_{n+1} - y_n - B H Lambda) / h - (1 - gamma) y~'_n) / gamma, with all (B H Lambda / h)_v
// kept apart.
template <class Engine>
void NonsmoothAlpha<Engine>::remember(const NonsmoothState& from, const StageWeights& weights,
                                      const Vector& shift, const Vector& delta, const Vector& r,
                                      Eigen::Ref<Vector> memory) const {
  const Classification& kinds = this->reduced().classification();
  const auto m = static_cast<Index>(r.size());
  Vector impulse = (1 + rho_) * r;
  for (Index j = 0; j < m; ++j)
    if (!is_impulse_[static_cast<std::size_t>(j)]) impulse[j] = 0;

  auto rate = memory.head(delta.size());
  rate = (1 + rho_) * (1 + rho_) / weights.step * delta - 2 * rho_ * weights.sigma / (1 - rho_) * shift;
  input_->add_viscous_rates(-1., impulse,
                            rate.segment(kinds.inertial().n_local(), kinds.viscous().n_local()));
  memory.tail(m) = impulse;
  if (this->remembers(from)) memory.tail(m) -= rho_ * from.memory.tail(m);
}

template class NonsmoothAlpha<InstantiatedEngine>;

}  // namespace halfdof
