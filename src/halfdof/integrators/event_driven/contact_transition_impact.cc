// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/event_driven/contact_transition.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

namespace {

/// Rates that count as rest, relative to SmoothMotion::rate_scale().
constexpr double rest_tolerance = 1e-10;

/// Rounding error of the motion of an obstacle, relative to the terms of this motion.
constexpr double rounding_of_obstacles = 1e-15;

/// The ratio of the response of a direction to another impulse to the response to its own reaction, up to
/// which the effect of the other impulse counts as zero.
constexpr double negligible_response = 1e-8;

}  // namespace

/// Refuses models in which impulses on masses move inclusions on half DoFs. The displacements of algebraic
/// DoFs would become infinite for an instant, and the displacements of viscous DoFs would jump; the laws of
/// these inclusions have no solution in either case.
void ContactTransition::check(const CondensedInclusions& condensed) {
  for (Index j = 0; j < condensed.n_directions(); ++j)
    for (Index i = 0; i < condensed.n_directions(); ++i) {
      const auto &hit = condensed.direction(j), &moved = condensed.direction(i);
      const bool is_light =
          moved.kind == DoFKind::algebraic || (moved.kind == DoFKind::viscous && moved.is_contact);
      const bool strikes = hit.is_contact || hit.is_tangent();
      if (!strikes || hit.kind != DoFKind::inertial || !is_light) continue;
      const MultiVector& W = condensed.W_of(moved.kind);
      if (std::abs(W(i, j)) <= negligible_response * W(i, i)) continue;
      throw NotAvailable(
          "Impulses of the contact \"" + hit.name + "\" would make the gap or the rate of \"" + moved.name +
          "\" jump or become infinite, because \"" + moved.name +
          "\" acts on degrees of freedom without mass, which entries of M or C couple to masses. The "
          "event-driven integrator has no impact law for such inclusions. Use a method with steps of one "
          "length, such as Moreau-Jean.");
    }
}

/// Returns the impulses and the dissipated energy of an impact of contacts that touch.
/// @param w rates before the impact @param e coefficients of restitution, one for each direction
Impact ContactTransition::solve_impact(double time, const std::vector<Index>& directions, const Vector& w,
                                       const Vector& e) const {
  std::vector<ImpactContact> contacts;
  for (const Index j : directions) {
    const auto& direction = condensed_.direction(j);
    if (!direction.is_tangent())
      contacts.push_back({direction.name, direction.law->dimension(), e[j],
                          direction.is_normal() ? condensed_.friction_coefficient(j, time) : 0.});
  }
  const Impact touching =
      impact_by_law(impact_law_, contacts, condensed_.W.I(directions, directions), w(directions));
  Impact all{Vector::Zero(w.size()), Vector::Zero(w.size())};
  all.impulses(directions) = touching.impulses;
  all.dissipated(directions) = touching.dissipated;
  return all;
}

/// Returns the rate of each direction up to which the direction counts as at rest. Rates of held directions
/// that are too small for a kink of the support also count as rest.
Vector ContactTransition::rate_tolerances(const BeforeTransition& before, const Vector& y,
                                          const CondensedInclusions::LoadTerms& load_terms,
                                          const SupportDerivatives& p) const {
  // The scale includes the reactions of held directions. The reactions of contacts that close are not known
  // yet.
  const Vector none = Vector::Zero(before.r.size()),
               held = rest_tolerance * motion_.rate_scale(before.time, y, load_terms, before.r, p.rate);
  Vector rest = rest_tolerance * motion_.rate_scale(before.time, y, load_terms, none, p.rate);
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (SmoothMotion::is_held(before.states[at(j)]) || condensed_.direction(j).is_tangent())
      rest[j] = held[j];
  if (!before.is_abrupt()) return rest;
  const Vector kink = motion_.kink_tolerance(before.time, y, load_terms, before.r, p.rate, p.second);
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (SmoothMotion::is_held(before.states[at(j)])) rest[j] = std::max(rest[j], kink[j]);
  return rest;
}

/// Returns whether a contact leaves a moving obstacle for longer than the shortest flight. The motion of the
/// obstacle may cause such a flight even if the acceleration at the impact would close the contact within
/// this time.
/// @param w rate of the structure @param a acceleration of the structure @param p prescribed motion at the
/// impact
bool ContactTransition::exceeds_shortest_flight(double time, Index j, double w, double a, double p) const {
  constexpr int n_places = 16;
  const double size = condensed_.prescribed_size(time)[j];
  for (int i = 1; i <= n_places; ++i) {
    const double part = shortest_flight() * i / n_places;
    const double moved = condensed_.prescribed(time + part)[j] - p;
    if (!(part * (w + 0.5 * a * part) + moved > rounding_of_obstacles * (size + std::abs(moved))))
      return false;
  }
  return true;
}

/// Computes the impacts at an instant, and writes their results to `after`. @return whether velocities jump
bool ContactTransition::impact(const BeforeTransition& before,
                               const CondensedInclusions::LoadTerms& load_terms, const SupportDerivatives& p,
                               const std::vector<bool>& touches, AfterTransition& after) const {
  const Vector w = condensed_.S_C * before.y + p.rate;
  const Vector rest = rate_tolerances(before, before.y, load_terms, p);
  std::vector<Index> directions;
  Vector e = Vector::Zero(w.size());
  bool approaches = false;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const auto& direction = condensed_.direction(j);
    if (direction.kind != DoFKind::inertial || !touches[at(j)]) continue;
    directions.push_back(j);
    if (!direction.is_contact) continue;
    e[j] = direction.restitution;
    const bool stayed = before.states[at(j)] == ContactState::closed && !before.is_abrupt();
    approaches = approaches || (!stayed && w[j] < -rest[j]);
  }
  if (!approaches) return false;
  Impact all = solve_impact(before.time, directions, w, e);

  Vector r = before.r;
  for (const Index j : directions)
    r[j] = 0;
  const Vector y = before.y + condensed_.B_H * all.impulses;
  const Vector a = accelerations(y, condensed_.load_terms(before.time, y, r), r, p),
               rebound = condensed_.S_C * y + p.rate;
  bool sticks = false;
  for (const Index j : directions)
    if (condensed_.direction(j).is_contact && all.impulses[j] > 0 && rebound[j] > 0 && a[j] < 0 &&
        2 * rebound[j] < -a[j] * shortest_flight() &&
        !exceeds_shortest_flight(before.time, j, rebound[j] - p.rate[j], a[j] - p.second[j], p.value[j])) {
      e[j] = 0;
      sticks = true;
    }
  if (sticks) all = solve_impact(before.time, directions, w, e);
  after.impulses = all.impulses;
  after.dissipated = all.dissipated;
  after.y = before.y + condensed_.B_H * after.impulses;
  return true;
}

}  // namespace halfdof::internal
