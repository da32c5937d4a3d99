// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/nonsmooth/gaps_without_penetration.h>
#include <halfdof/integrators/nonsmooth/stage_step.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <cmath>

// The motion of the directions in a step, and the quantities on which their laws are enforced.

namespace halfdof {

using namespace internal;

/// Adds the rates of viscous DoFs to the rates H^T q' of the directions at the beginning of a step.
/// @param rates on entry the part of inertial DoFs, H^T J_I v_I
template <class Engine>
void StageIntegrator<Engine>::Implementation::complete_rates(const NonsmoothState& from,
                                                             Eigen::Ref<Vector> rates) const {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const Index m = inclusions.n_directions();
  if (from.carried.size() >= m) {
    for (Index j = 0; j < m; ++j)
      if (rule(j).is_blended) rates[j] = from.carried[j];
  } else if (inclusions.acts_on(DoFKind::viscous)) {
    const MultiVector x = reduced().highest_derivatives(from.y, inclusions.load(from, from.r));
    rates += inclusions.H().components(reduced().classification().viscous().only(x));
  }
}

/// Returns the rate that the last reaction alone, without other forces, would cause in its direction within a
/// step.
template <class Engine>
double StageIntegrator<Engine>::Implementation::rate_by_reaction(Index direction, const NonsmoothState& from,
                                                                 double step) const {
  return step * outcome().directions[static_cast<std::size_t>(direction)].W * std::abs(from.r[direction]);
}

/// Returns the gaps, corrected by gaps_without_penetration() for open contacts that approach. With impact
/// laws other than Newton's the gaps are not corrected, because the impacts at the beginning of the step use
/// uncorrected gaps.
template <class Engine>
Vector StageIntegrator<Engine>::Implementation::gaps_of_striking(const NonsmoothState& from,
                                                                 const StepLengthData& data) const {
  const StepDelassus& delassus = data.problem->delassus();
  if (!needs_rates_ || !delassus.is_dense() || rules_.impacts.law != ImpactLaw::newton) return from.g;
  const Vector reach = -0.5 * data.weights.step * work_.w_before;
  std::vector<bool> do_not_approach, strikes;
  for (Index j = 0; j < static_cast<Index>(from.g.size()); ++j) {
    const bool has_mass = rule(j).enforced_on == EnforcedOn::impact;
    do_not_approach.push_back(has_mass && work_.w_before[j] >= -work_.at_rest);
    strikes.push_back(has_mass && work_.w_before[j] < -work_.at_rest &&
                      from.contacts[inclusions().inclusion_of(j)] == ContactState::open);
  }
  return gaps_without_penetration(delassus.matrix(), do_not_approach, strikes, reach, from.g);
}

/// Selects the active inclusions of a step. Contacts with impact laws are active from half a step before they
/// would close (Moreau; Jean).
template <class Engine>
void StageIntegrator<Engine>::Implementation::select_inclusions(const NonsmoothState& from,
                                                                const StepLengthData& data) {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const double step = data.weights.step;
  const Vector gaps = gaps_of_striking(from, data);
  work_.is_active.assign(inclusions.acting().size(), true);
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    if (rule(j).enforced_on != EnforcedOn::impact) continue;
    const double soon = gaps[j] + 0.5 * step * work_.w_before[j];
    if (soon <= 0) continue;
    const std::size_t i = inclusions.inclusion_of(j);
    if (!work_.struck.empty() && work_.struck[i]) continue;
    const double h = inclusions.acting()[i].law->support(j - inclusions.first_direction(i))(from.time);
    const double rounding =
        closing_tolerance * (std::abs(from.g[j]) + std::abs(h) + step * std::abs(work_.free_law_values[j])) +
        resting_gap * time_step_ * rate_by_reaction(j, from, time_step_);
    if (soon > rounding) work_.is_active[i] = false;
  }
}

/// Computes the motion of the directions in a step without the new reactions: the components H^T of the
/// vectors in (1) and (2) of StageIntegrator.
template <class Engine>
void StageIntegrator<Engine>::Implementation::evaluate_directions(const NonsmoothState& from,
                                                                  const StepLengthData& data, double end,
                                                                  const MultiVector& z,
                                                                  const std::optional<Vector>& shift) {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const Index m = inclusions.n_directions();
  DirectionMotion& motion = work_.motion;
  MultiVector& sums = motion.sums;
  sums.resize(m, 4);
  sums.col(0).noalias() = H_q_.transpose() * from.y;
  sums.rightCols(3).setZero();
  data.problem->delassus().add_local_components(z, sums.middleCols(1, 1));
  if (shift) sums.col(2).noalias() = H_q_.transpose() * *shift;
  if (needs_rates_) sums.col(3).noalias() = H_v_.transpose() * from.y;
  reduced().communicator().sum(sums.data(), static_cast<int>(sums.size()));
  motion.weights = data.weights;
  if (inclusions.has_moving_supports() || motion.p.begin.size() != m)
    motion.p = prescribed_step(inclusions, from.time, end);
  motion.s = from.g - motion.p.begin;
  if (needs_rates_) complete_rates(from, sums.col(3));
}

template <class Engine>
double StageIntegrator<Engine>::Implementation::DirectionMotion::end_gap(Index j) const {
  return (q(j) + (x(j) + b(j)) - (1 - weights.theta) * s[j]) / weights.theta + p.end[j];
}

template <class Engine>
double StageIntegrator<Engine>::Implementation::DirectionMotion::end_rate(Index j) const {
  return (weights.sigma * x(j) - (1 - weights.theta) * rate(j)) / weights.theta + p.end_rate[j];
}

/// Computes the quantities on which the laws are enforced, without the new reactions.
template <class Engine>
void StageIntegrator<Engine>::Implementation::set_free_law_values(const NonsmoothState& from) {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const DirectionMotion& motion = work_.motion;
  work_.free_law_values.resize(from.g.size());
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    double& free = work_.free_law_values[j];
    switch (rule(j).enforced_on) {
      case EnforcedOn::end_gap:
        free = motion.end_gap(j);
        break;
      case EnforcedOn::mean_rate:
        free = (motion.end_gap(j) - from.g[j]) / motion.weights.step;
        break;
      case EnforcedOn::end_rate:
        free = motion.end_rate(j);
        break;
      case EnforcedOn::impact: {
        const Law& law = *inclusions.acting()[inclusions.inclusion_of(j)].law;
        free = motion.end_rate(j) + restitution_in_step(law) * motion.rate_before(j);
        break;
      }
    }
  }
}

/// Sets the rates w_before at the beginning of a step, and the rate at_rest up to which contacts count as at
/// rest. For directions whose laws are not enforced on rates, w_before is the mean rate of the last step.
template <class Engine>
void StageIntegrator<Engine>::Implementation::set_rates_before(const NonsmoothState& from) {
  work_.w_before = from.w;
  for (Index j = 0; j < from.w.size(); ++j)
    if (is_enforced_on_rate(rule(j))) work_.w_before[j] = work_.motion.rate_before(j);
  if (has_impacts_) work_.at_rest = rounding_of_rates(from);
}

/// Sets the gaps at the end of a step, and the rates at the end or the mean rates, depending on the laws.
template <class Engine>
void StageIntegrator<Engine>::Implementation::set_gaps_and_rates(const NonsmoothState& from,
                                                                 NonsmoothState& to) const {
  const DirectionMotion& motion = work_.motion;
  to.g.resize(from.g.size());
  to.w.resize(from.w.size());
  for (Index j = 0; j < to.g.size(); ++j) {
    to.g[j] = motion.end_gap(j);
    to.w[j] = is_enforced_on_rate(rule(j)) ? motion.end_rate(j) : (to.g[j] - from.g[j]) / motion.weights.step;
  }
}

/// Stores the rates H^T q' at the end of a step in NonsmoothState::carried, and reserves space after these
/// rates for the entries of StageIntegrator::carried_data().
template <class Engine>
void StageIntegrator<Engine>::Implementation::set_carried_data(NonsmoothState& to) const {
  const bool keeps = needs_rates_ || owner_->n_carried_data() > 0;
  const auto m = static_cast<Index>(to.g.size());
  to.carried.resize(keeps ? m + owner_->n_carried_data() : 0);
  for (Index j = 0; keeps && j < m; ++j)
    to.carried[j] = work_.motion.end_rate(j) - work_.motion.p.end_rate[j];
}

template struct StageIntegrator<InstantiatedEngine>::Implementation;

}  // namespace halfdof
