// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/nonsmooth/gaps_without_penetration.h>
#include <halfdof/integrators/verification/law_verification.h>

#include <algorithm>
#include <cmath>

/// The verification of contacts with mass: impacts, and contacts that have no reaction inside their obstacles.

namespace halfdof::internal {

namespace {

/// Gaps up to this one count as touching, relative to the displacements from which they are computed.
constexpr double touching = 1e-10;

/// Factor for the shortest flight. A rebound is cut off by the pull at the instant itself, but the trajectory
/// contains the pull a little later.
constexpr double slack_of_flights = 2;

}  // namespace

/// Returns the depth by which other contacts that penetrate their obstacles keep this contact inside its
/// obstacle, see gaps_without_penetration().
double LawVerification::depth_without_penetration(std::size_t i, const DirectionPoint& from) const {
  const Index j = places_[i].first, m = static_cast<Index>(outcome_.W.I.rows());
  if (m != from.s.size()) return 0;
  const Vector gaps = from.gaps(), rates = from.rate + from.prescribed_rate;
  std::vector<bool> do_not_approach(static_cast<std::size_t>(m)), asked(do_not_approach);
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const Index first = places_[k].first;
    do_not_approach[static_cast<std::size_t>(first)] = k != i &&
                                                       reduced_law_of(k) == ReducedLaw::measure_inclusion &&
                                                       rates[first] >= -touching * size_rate_;
  }
  asked[static_cast<std::size_t>(j)] = true;
  return gaps_without_penetration(outcome_.W.I, do_not_approach, asked, Vector::Zero(m), gaps)[j] - gaps[j];
}

/// Checks that a contact inside its obstacle without a reaction moves out of it. Schemes at velocity level
/// may leave it without a reaction from half a step before it is outside.
void LawVerification::check_contact_left_alone(std::size_t i, const DirectionPoint& from,
                                               const DirectionPoint& to, double rebound) {
  const Index j = places_[i].first;
  const double h = to.state.time - from.state.time, begin = from.s[j] + from.prescribed[j],
               end = to.s[j] + to.prescribed[j], ahead = 0.5 * h * (from.rate[j] + from.prescribed_rate[j]);
  const double rounding = touching * (std::abs(to.s[j]) + std::abs(to.prescribed[j])),
               nearest = std::max({begin, begin + ahead, end});
  if (nearest > -rounding || nearest + depth_without_penetration(i, from) > -rounding) return;
  note(Check::law, i, std::max(-rebound, 0.), to.state.time);
}

/// Returns a rate that is not negative if a contact leaves at least as fast as Newton's law requires. Other
/// impact laws only require that no contact approaches.
double LawVerification::rebound_of(const Law& law, double before, double after) const {
  if (options_.impact_law != ImpactLaw::newton) return after;
  return after + law.restitution().value_or(0.) * before;
}

/// Checks the impact law at an event: the rates before and after it, and that the impulse is not negative.
void LawVerification::check_event(const ContactEvent& event, const Vector& r_after) {
  const Law& law = places_[event.inclusion].law();
  if (law.level(0) != LawLevel::gap || event.impulse.size() == 0) return;
  const double rebound = rebound_of(law, event.w_before[0], event.w_after[0]);
  if (event.impulse.isZero(0.)) {
    // A contact without an impulse still touches at a located instant, so that it must not approach after it.
    if (event.begin == event.end && r_after[places_[event.inclusion].first] == 0 &&
        reduced_law_of(event.inclusion) == ReducedLaw::measure_inclusion)
      note(Check::impact, event.inclusion, std::max(-rebound, 0.), event.end);
    return;
  }
  const double W = outcome_.directions[static_cast<std::size_t>(places_[event.inclusion].first)].W;
  if (event.impulse[0] < 0) note(Check::impact, event.inclusion, -W * event.impulse[0], event.end);
  if (ends_at_rest(event, r_after)) return;
  // The contact leaves too slowly, or leaves faster although it has an impulse.
  const double missed = options_.impact_law == ImpactLaw::newton ? std::abs(rebound) : std::max(-rebound, 0.);
  note(Check::impact, event.inclusion, missed, event.end);
}

/// Returns whether a rebound would have ended within the shortest flight: it takes the time 2 e |w-| / a. The
/// acceleration a is estimated by the reactions of contacts, and an upper bound for those of friction.
bool LawVerification::ends_at_rest(const ContactEvent& event, const Vector& r_after) const {
  const Place& place = places_[event.inclusion];
  if (event.after == ContactState::open || options_.shortest_flight == 0) return false;
  const Index j = place.first;
  double pull = 0;
  for (const Place& other : places_)
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
