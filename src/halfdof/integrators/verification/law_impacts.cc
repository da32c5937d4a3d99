// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/nonsmooth/gaps_without_penetration.h>
#include <halfdof/integrators/verification/law_verification.h>

#include <algorithm>
#include <cmath>

// The verification of contacts with mass: impacts, and contacts that have no reaction inside their obstacles.

namespace halfdof::internal {

namespace {

/// Factor of the shortest flight. The integrator replaces a rebound by rest according to the acceleration at
/// the instant itself, but the trajectory contains the acceleration a short time later.
constexpr double slack_of_flights = 2;

}  // namespace

/// Returns the part of the penetration of a contact that is due to other contacts that penetrate their
/// obstacles, see gaps_without_penetration().
double LawVerification::depth_due_to_other_contacts(std::size_t i, const DirectionPoint& from) const {
  const Index j = inclusions_[i].first, m = static_cast<Index>(outcome_.W.I.rows());
  if (m != from.s.size()) return 0;
  const Vector gaps = from.gaps(), rates = from.rate + from.prescribed_rate;
  std::vector<bool> do_not_approach(static_cast<std::size_t>(m)), asked(do_not_approach);
  for (std::size_t k = 0; k < inclusions_.size(); ++k) {
    const Index first = inclusions_[k].first;
    do_not_approach[static_cast<std::size_t>(first)] = k != i &&
                                                       reduced_law_of(k) == ReducedLaw::measure_inclusion &&
                                                       rates[first] >= -touching * size_rate_;
  }
  asked[static_cast<std::size_t>(j)] = true;
  return gaps_without_penetration(outcome_.W.I, do_not_approach, asked, Vector::Zero(m), gaps)[j] - gaps[j];
}

/// Checks that a contact that penetrates its obstacle without a reaction leaves the obstacle. In
/// velocity-level schemes such a contact may have no reaction from half a step before it has left the
/// obstacle.
void LawVerification::check_inactive_contact(std::size_t i, const DirectionPoint& from,
                                             const DirectionPoint& to, double rebound) {
  const Index j = inclusions_[i].first;
  const double h = to.state.time - from.state.time, begin = from.s[j] + from.prescribed[j],
               end = to.s[j] + to.prescribed[j], ahead = 0.5 * h * (from.rate[j] + from.prescribed_rate[j]);
  const double rounding = touching * (std::abs(to.s[j]) + std::abs(to.prescribed[j])),
               nearest = std::max({begin, begin + ahead, end});
  if (nearest > -rounding || nearest + depth_due_to_other_contacts(i, from) > -rounding) return;
  record(Check::law, i, std::max(-rebound, 0.), to.state.time);
}

/// Returns the rate after an impact in excess of the rate that the impact law requires at least. Newton's law
/// requires w+ >= -e w-, and other impact laws only require w+ >= 0.
double LawVerification::rebound_excess(const Law& law, double before, double after) const {
  if (options_.impact_law != ImpactLaw::newton) return after;
  return after + law.restitution().value_or(0.) * before;
}

/// Checks the impact law for the rates before and after an event, and that the impulse is not negative.
void LawVerification::check_event(const ContactEvent& event, const Vector& r_after) {
  const Law& law = inclusions_[event.inclusion].law();
  if (law.level(0) != LawLevel::gap || event.impulse.size() == 0) return;
  const double rebound = rebound_excess(law, event.w_before[0], event.w_after[0]);
  if (event.impulse.isZero(0.)) {
    // A contact without an impulse still touches its obstacle at a located instant, so that it must not
    // approach after this instant.
    if (event.begin == event.end && r_after[inclusions_[event.inclusion].first] == 0 &&
        reduced_law_of(event.inclusion) == ReducedLaw::measure_inclusion)
      record(Check::impact, event.inclusion, std::max(-rebound, 0.), event.end);
    return;
  }
  const double W = outcome_.directions[static_cast<std::size_t>(inclusions_[event.inclusion].first)].W;
  if (event.impulse[0] < 0) record(Check::impact, event.inclusion, -W * event.impulse[0], event.end);
  if (is_within_sticking_cutoff(event, r_after)) return;
  // With an impulse the contact must leave exactly as fast as Newton's law requires.
  const double missed = options_.impact_law == ImpactLaw::newton ? std::abs(rebound) : std::max(-rebound, 0.);
  record(Check::impact, event.inclusion, missed, event.end);
}

/// Returns whether an integrator may have replaced a rebound by rest, because the flight time 2 e |w-| / a is
/// below the shortest flight. The acceleration a towards the obstacle is estimated from the reactions of
/// contacts and an upper bound of the reactions of friction.
bool LawVerification::is_within_sticking_cutoff(const ContactEvent& event, const Vector& r_after) const {
  const CheckedInclusion& place = inclusions_[event.inclusion];
  if (event.after == ContactState::open || options_.shortest_flight == 0) return false;
  const Index j = place.first;
  double pull = 0;
  for (const CheckedInclusion& other : inclusions_)
    for (Index k = other.first; k < other.first + other.law().dimension(); ++k) {
      const double W = outcome_.W.I.size() > 0 ? outcome_.W.I(j, k)
                       : k == j                ? outcome_.directions[static_cast<std::size_t>(j)].W
                                               : 0.;
      pull += other.law().level(0) == LawLevel::gap ? W * r_after[k] : std::abs(W * r_after[k]);
    }
  const double speed = std::abs(event.w_before[0]);
  return std::abs(event.w_after[0]) <= touching * size_rate_ &&
         2 * place.law().restitution().value_or(0.) * speed <=
             slack_of_flights * options_.shortest_flight * pull;
}

}  // namespace halfdof::internal
