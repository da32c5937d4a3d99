// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/nonsmooth/stage_step.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>

namespace halfdof {

using namespace internal;

namespace {

constexpr double striking_tolerance = 1e-10;  ///< Rates that count as rest, relative to the largest rate.

}  // namespace

/// Returns the mean reactions of a step, with the weights of the ends in the balance of momentum.
template <class Engine>
const Vector& StageIntegrator<Engine>::Implementation::mean_reactions(const NonsmoothState& from,
                                                                      const NonsmoothState& to) {
  const double theta = owner_->end_weight();
  work_.mean = to.r;
  for (Index j = 0; j < to.r.size(); ++j)
    if (rule(j).is_blended) work_.mean[j] = (1 - theta) * from.r[j] + theta * to.r[j];
  return work_.mean;
}

/// Returns the mean of the rates at both ends for a contact on inertial DoFs whose law is enforced on the
/// gap, and zero for other contacts.
template <class Engine>
double StageIntegrator<Engine>::Implementation::mean_rate_of_impacts(Index direction,
                                                                     const NonsmoothState& to) const {
  const bool stops = outcome().directions[static_cast<std::size_t>(direction)].reduced_law() ==
                     ReducedLaw::measure_inclusion;
  return stops ? 0.5 * (work_.w_before[direction] + to.w[direction]) : 0.;
}

/// Adds the impulses of a step and the energy that the laws dissipate, which is the reaction times the mean
/// rate of the step. The mean rate of an impact is the mean of the rates at both ends. Other contacts
/// dissipate nothing.
template <class Engine>
void StageIntegrator<Engine>::Implementation::add_impulse_and_dissipation(const NonsmoothState& from,
                                                                          NonsmoothState& to, double step) {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const Vector& mean = mean_reactions(from, to);
  to.impulse = from.impulse + step * mean;
  to.dissipated = from.dissipated;
  to.dissipated_by = from.dissipated_by;
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
    LocalVector w = (to.g - from.g).segment(first, d) / step;
    LocalVector r = mean.segment(first, d);
    if (rule(first).enforced_on != EnforcedOn::mean_rate)
      require_no_jump_of_support(inclusions.acting()[i].name, *inclusions.acting()[i].law, from.time,
                                 to.time);
    const auto enforced_on = [&](Index k) { return rule(first + k).enforced_on; };
    for (Index k = 0; k < d; ++k) {
      const bool is_blended = rule(first + k).is_blended;
      if (inclusions.level(first + k) == LawLevel::rate &&
          (is_blended || enforced_on(k) == EnforcedOn::mean_rate))
        r[k] = reaction_in_slip(from.contacts[i], to.contacts[i], from.r[first + k], to.r[first + k], r[k]);
      if (enforced_on(k) == EnforcedOn::impact)
        w[k] = 0.5 * (work_.w_before[first + k] + to.w[first + k]);
      else if (inclusions.level(first + k) == LawLevel::gap)
        w[k] = mean_rate_of_impacts(first + k, to);
    }
    if (!r.isZero(0.)) to.dissipate(i, step * inclusions.acting()[i].law->dissipated_power(w, r));
  }
}

/// Returns the coefficient of restitution in the laws of a step: e for Newton's impact law, and zero for
/// other impact laws, whose impacts are computed before the step.
template <class Engine>
double StageIntegrator<Engine>::Implementation::restitution_in_step(const Law& law) const {
  return rules_.impacts.law == ImpactLaw::newton ? law.restitution().value_or(0.) : 0.;
}

/// Returns the relative rates at the beginning of a step.
template <class Engine>
Vector StageIntegrator<Engine>::Implementation::rates_before(const NonsmoothState& from, double end) const {
  Vector rates = H_v_.transpose() * from.y;
  reduced().communicator().sum(rates.data(), static_cast<int>(rates.size()));
  complete_rates(from, rates);
  return rates + prescribed_step(inclusions(), from.time, end).begin_rate;
}

/// Returns the size of the displacements of each direction, to which rounding errors of gaps are relative.
template <class Engine>
Vector StageIntegrator<Engine>::Implementation::size_of_displacements(const NonsmoothState& at) const {
  Vector size = H_q_.cwiseAbs().transpose() * at.y.cwiseAbs();
  reduced().communicator().sum(size.data(), static_cast<int>(size.size()));
  return size + prescribed_size(inclusions(), at.time);
}

/// Returns the rounding errors of the quantities on which laws are enforced: gaps, mean rates (differences of
/// gaps), and rates.
template <class Engine>
Vector StageIntegrator<Engine>::Implementation::rounding_of_laws(const NonsmoothState& from,
                                                                 double step) const {
  Vector size = size_of_displacements(from), rates = H_v_.cwiseAbs().transpose() * from.y.cwiseAbs();
  reduced().communicator().sum(rates.data(), static_cast<int>(rates.size()));
  for (Index j = 0; j < size.size(); ++j) {
    const EnforcedOn enforced_on = rule(j).enforced_on;
    if (enforced_on == EnforcedOn::mean_rate) size[j] /= step;
    if (is_enforced_on_rate(rule(j))) size[j] = rates[j] + std::abs(work_.w_before[j]);
  }
  return rounding_of_a_term * size;
}

/// Computes the impacts at the beginning of a step, by an impact law other than Newton's.
/// @return the state after the impacts, or nothing without an impact
template <class Engine>
std::optional<NonsmoothState> StageIntegrator<Engine>::Implementation::apply_impacts(
    const NonsmoothState& from, const TimeGrid::Step& step, std::vector<ContactEvent>& events) {
  work_.struck.clear();
  if (!impacts_ || rules_.impacts.law == ImpactLaw::newton) return std::nullopt;
  work_.w_before = rates_before(from, step.end);
  return impacts_->apply_impacts(from, step.length, work_.w_before, size_of_displacements(from),
                                 rounding_of_rates(from), work_.struck, events);
}

/// Moves penetrating contacts at rest back onto their obstacles.
template <class Engine>
void StageIntegrator<Engine>::Implementation::correct_positions(NonsmoothState& to) const {
  const double at_rest = rounding_of_rates(to);
  std::vector<bool> rests;
  for (std::size_t i = 0; i < inclusions().acting().size(); ++i) {
    const Index j = inclusions().first_direction(i);
    // A contact that still approaches is not corrected, because it would rebound in every step.
    rests.push_back(work_.is_active[i] && to.r[j] > 0 && std::abs(to.w[j]) <= at_rest);
  }
  impacts_->correct_positions(rests, size_of_displacements(to), to);
}

/// Returns whether the rate of a contact jumps: an open contact closes with a reaction, or the obstacle of a
/// closed contact strikes faster than the other forces of the step explain.
template <class Engine>
bool StageIntegrator<Engine>::Implementation::has_impact(std::size_t i, const NonsmoothState& from,
                                                         const NonsmoothState& to) const {
  const Index first = inclusions().first_direction(i);
  if (rule(first).enforced_on != EnforcedOn::impact || to.r[first] == 0) return false;
  const double e = restitution_in_step(*inclusions().acting()[i].law);
  const double before = work_.w_before[first],
               by_forces = std::abs(work_.free_law_values[first] - (1 + e) * before);
  if (from.contacts[i] != ContactState::open && -before <= by_forces) return false;
  return -before > work_.at_rest;
}

/// Returns the rate up to which contacts count as at rest. This tolerance is relative to the terms of the
/// rates, which may cancel, and to the rates that reactions give to masses within a step.
template <class Engine>
double StageIntegrator<Engine>::Implementation::rounding_of_rates(const NonsmoothState& from) const {
  Vector rates = H_v_.cwiseAbs().transpose() * from.y.cwiseAbs();
  reduced().communicator().sum(rates.data(), static_cast<int>(rates.size()));
  rates = rates.cwiseMax(work_.w_before.cwiseAbs());
  for (Index j = 0; j < rates.size(); ++j)
    if (rule(j).enforced_on == EnforcedOn::impact)
      rates[j] = std::max(rates[j], rate_by_reaction(j, from, time_step_));
  return striking_tolerance * (rates.size() > 0 ? rates.maxCoeff() : 0.);
}

/// Keeps the contact states of contacts that touch at rest without a reaction, because their rates are only
/// rounding errors.
template <class Engine>
void StageIntegrator<Engine>::Implementation::keep_contacts_at_rest(const NonsmoothState& from,
                                                                    NonsmoothState& to) const {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
    if (rule(first).enforced_on != EnforcedOn::impact || from.contacts[i] == to.contacts[i] ||
        !work_.is_active[i])
      continue;
    const double pushed = (to.time - from.time) * outcome().directions[static_cast<std::size_t>(first)].W *
                          to.r.segment(first, d).cwiseAbs().maxCoeff();
    const double moved = std::max(work_.w_before.segment(first, d).cwiseAbs().maxCoeff(),
                                  to.w.segment(first, d).cwiseAbs().maxCoeff());
    if (std::max(pushed, moved) <= work_.at_rest) to.contacts[i] = from.contacts[i];
  }
}

/// Appends an event for each impact and for each change of a contact state.
template <class Engine>
void StageIntegrator<Engine>::Implementation::append_events(const NonsmoothState& from,
                                                            const NonsmoothState& to,
                                                            std::vector<ContactEvent>& events) const {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const bool is_impact = has_impact(i, from, to);
    if (!is_impact && from.contacts[i] == to.contacts[i]) continue;
    const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
    LocalVector impulse = LocalVector::Zero(d);
    if (is_impact) impulse = (to.impulse - from.impulse).segment(first, d);
    events.push_back({from.time, to.time, i, work_.w_before.segment(first, d), to.w.segment(first, d),
                      impulse, from.contacts[i], to.contacts[i]});
  }
}

template struct StageIntegrator<InstantiatedEngine>::Implementation;

}  // namespace halfdof
