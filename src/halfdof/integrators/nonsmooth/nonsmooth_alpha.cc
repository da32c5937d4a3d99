// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/reaction_input.h>
#include <halfdof/integrators/nonsmooth/stage_problem.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>

namespace halfdof {

using namespace internal;

namespace {

double checked_spectral_radius(double rho) {
  if (rho >= 0 && rho <= 1) return rho;
  throw InvalidInput(
      "The spectral radius of the nonsmooth generalized-alpha method is " + number_text(rho) +
      ". Give a number from 0 (infinitely stiff motions vanish in one step) to 1 (no numerical damping).");
}

}  // namespace

template <class Engine>
NonsmoothAlpha<Engine>::NonsmoothAlpha(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                       double time_step, const NonsmoothAlphaOptions& options)
    : StageIntegrator<Engine>(
          inclusions, outcome, "nonsmooth generalized-alpha", time_step,
          {velocity_rules(outcome),
           (3 - checked_spectral_radius(options.spectral_radius)) * (1 + options.spectral_radius) / 2,
           1 / (1 + options.spectral_radius)}),
      rho_(options.spectral_radius) {
  if (rho_ == 1) return;
  const std::vector<Index> sweeping = outcome.directions_in(ReducedLaw::sweeping_process);
  if (!sweeping.empty() && this->reduced().depends_on_state() &&
      this->reduced().linearized_state_force()->has_damping())
    throw NotAvailable(
        "The nonsmooth generalized-alpha method needs a constant damping matrix to separate smooth rates "
        "from the rates that contacts on viscous degrees of freedom cause, such as the contact \"" +
        outcome.directions[static_cast<std::size_t>(sweeping.front())].name +
        "\", but the state force of this system changes the damping. Use Moreau-Jean, or a spectral radius "
        "of 1, with which the method stores no rates.");
  for (const DirectionRule& rule : this->rules().directions)
    is_impulse_.push_back(!rule.is_blended);
  input_ = std::make_shared<ImpulseInput<Engine>>(inclusions, is_impulse_, outcome.options);
}

template <class Engine>
Vector NonsmoothAlpha<Engine>::reactions_for_state_force(const NonsmoothState& at, const Vector& r) const {
  Vector acting = StageIntegrator<Engine>::reactions_for_state_force(at, r);
  if (this->has_state_mass() && rho_ < 1)
    for (Index j = 0; j < acting.size(); ++j)
      if (this->rules().directions[static_cast<std::size_t>(j)].enforced_on == EnforcedOn::impact)
        acting[j] = 0;
  return acting;
}

template <class Engine>
bool NonsmoothAlpha<Engine>::needs_own_tangents(const NonsmoothState& trial) const {
  return reactions_for_state_force(trial, trial.r) != trial.r;
}

/// Returns the derivative y' at the start of a run, without the reactions that are impulses.
template <class Engine>
Vector NonsmoothAlpha<Engine>::first_rate(const NonsmoothState& from) const {
  Vector r = from.r;
  for (Index j = 0; j < r.size(); ++j)
    if (is_impulse_[static_cast<std::size_t>(j)]) r[j] = 0;
  return this->inclusions().derivative(from, r);
}

// Returns the shift b = (1 - rho_inf) / (2 sigma) y~'_n of StageIntegrator. The vector b of ImplicitStep is
// sigma times this shift.
template <class Engine>
std::optional<Vector> NonsmoothAlpha<Engine>::shift(const NonsmoothState& from, double sigma,
                                                    Vector& rhs) const {
  if (rho_ == 1) return std::nullopt;
  const double part = (1 - rho_) / (2 * sigma);
  if (!this->has_carried_data(from)) return part * first_rate(from);
  input_->add_momentum(-part * sigma, from.carried.tail(from.r.size()), rhs);
  return part * from.carried.tail(n_carried_data()).head(from.y.size());
}

template <class Engine>
Index NonsmoothAlpha<Engine>::n_carried_data() const {
  return rho_ == 1 ? 0 : this->reduced().n_local_states() + this->inclusions().n_directions();
}

// Returns the derivative of the smooth part, y~'_{n+1} = ((y_{n+1} - y_n - B H Lambda) / h - (1 - gamma)
// y~'_n) / gamma. The velocity components of the terms B H Lambda / h of all steps are stored separately, by
// the factors of their directions.
template <class Engine>
Vector NonsmoothAlpha<Engine>::carried_data(const NonsmoothState& from, const StageWeights& weights,
                                            const Vector& shift, const Vector& delta, const Vector& r) const {
  const Classification& kinds = this->reduced().classification();
  const auto m = static_cast<Index>(r.size());
  Vector impulse = (1 + rho_) * r;
  for (Index j = 0; j < m; ++j)
    if (!is_impulse_[static_cast<std::size_t>(j)]) impulse[j] = 0;

  Vector entries(n_carried_data());
  auto rate = entries.head(delta.size());
  rate = (1 + rho_) * (1 + rho_) / weights.step * delta - 2 * rho_ * weights.sigma / (1 - rho_) * shift;
  input_->add_viscous_rates(-1., impulse,
                            rate.segment(kinds.inertial().n_local(), kinds.viscous().n_local()));
  entries.tail(m) = impulse;
  if (this->has_carried_data(from)) entries.tail(m) -= rho_ * from.carried.tail(m);
  return entries;
}

template <class Engine>
std::vector<Check> NonsmoothAlpha<Engine>::kept_exactly() const {
  return {Check::penetration, Check::reaction,    Check::impulse, Check::kinematics,
          Check::law,         Check::variational, Check::impact};
}

template class NonsmoothAlpha<InstantiatedEngine>;

}  // namespace halfdof
