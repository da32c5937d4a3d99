// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/explicit_step.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>

#include <boost/math/tools/toms748_solve.hpp>

#include <cmath>
#include <sstream>

namespace halfdof {

using namespace internal;

namespace {

/// Longest step that resolves a contact, relative to sqrt(lambda).
constexpr double longest_resolved_step = 0.1;

/// Number of entries in NonsmoothState::carried for each contact: the time at which the contact closed, its
/// rate at this time, and its impulse up to this time.
constexpr Index n_carried_per_contact = 3;

}  // namespace

/// A contact that opens or closes, and the time from the beginning of the part of the step to this instant
/// [s].
template <class Engine>
struct YosidaPenalty<Engine>::Crossing {
  double length;
  Index direction;
};

template <class Engine>
double YosidaPenalty<Engine>::damping(double restitution) {
  if (restitution == 0) return 1;
  const double log_e = std::log(restitution);
  return -log_e / std::hypot(pi, log_e);
}

template <class Engine>
YosidaPenalty<Engine>::YosidaPenalty(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                     double time_step, double lambda)
    : ExplicitInclusions<Engine>(inclusions, outcome, "Yosida", time_step, four_stages(),
                                 {ReducedLaw::measure_inclusion}),
      lambda_(lambda),
      directions_(outcome.directions_in(ReducedLaw::measure_inclusion)),
      spring_(Vector::Zero(inclusions.n_directions())),
      damper_(spring_) {
  if (!(lambda > 0) || !std::isfinite(lambda))
    throw InvalidInput("The parameter lambda of the Yosida method is " + number_text(lambda) +
                       " s^2. Give a positive, finite lambda: a contact lasts about pi sqrt(lambda).");
  const bool has_state_mass =
      inclusions.reduced().depends_on_state() && inclusions.reduced().linearized_state_force()->has_mass();
  for (const Index j : directions_) {
    const Inclusion& inclusion = inclusions.acting()[inclusions.inclusion_of(j)];
    if (inclusion.law->dimension() > 1)
      throw NotAvailable("The Yosida method supports only contacts without friction, but the law of \"" +
                         inclusion.name + "\" is " + inclusion.law->name() + ". Use Moreau-Jean.");
    if (has_state_mass)
      throw NotAvailable(
          "The Yosida method scales the spring of each contact by the mass that the reaction accelerates, "
          "but the state force of this system changes the mass matrix, so that the mass at the contact \"" +
          inclusion.name + "\" may not be constant. Use Moreau-Jean.");
    const double W = outcome.W.I(j, j), epsilon = damping(inclusion.law->restitution().value_or(0.));
    spring_[j] = 1 / (lambda * W);
    damper_[j] = 2 * epsilon / (std::sqrt(lambda) * W);
  }
  if (directions_.empty() || time_step <= longest_resolved_step * std::sqrt(lambda)) return;
  std::ostringstream text;
  text << "The time step of " << time_step
       << " s does not resolve the contacts of the Yosida method, which last about " << pi * std::sqrt(lambda)
       << " s. Give a time step of at most 0.1 sqrt(lambda) = " << longest_resolved_step * std::sqrt(lambda)
       << " s, or a larger lambda.";
  warnings_.push_back(text.str());
}

template <class Engine>
void YosidaPenalty<Engine>::contact_reactions(const Vector& g, const Vector& w,
                                              const std::vector<ContactState>& contacts, Vector& r) const {
  for (const Index j : directions_) {
    const bool closed = contacts[this->inclusions().inclusion_of(j)] == ContactState::closed;
    r[j] = closed ? -spring_[j] * g[j] - damper_[j] * w[j] : 0.;
  }
}

/// Returns the first crossing among the contacts that are on the wrong side of their obstacles at the end:
/// open contacts with a negative gap and closed contacts with a positive gap.
template <class Engine>
auto YosidaPenalty<Engine>::first_crossing(const Point& begin, const NonsmoothState& to, double length,
                                           const std::vector<bool>& has_crossed) const -> Crossing {
  const NonsmoothState& from = begin.state;
  Crossing first{length, -1};
  for (const Index j : directions_) {
    const double sign = from.contacts[this->inclusions().inclusion_of(j)] == ContactState::closed ? -1. : 1.;
    if (sign * to.g[j] >= 0 || has_crossed[static_cast<std::size_t>(j)]) continue;
    if (sign * from.g[j] <= 0) return {0., j};
    std::uintmax_t n_iterations = 60;
    const auto gap_after = [&](double part) {
      return this->smooth_part(begin, part, from.time + part).to.state.g[j];
    };
    const auto bracket =
        boost::math::tools::toms748_solve(gap_after, 0., length, from.g[j], to.g[j],
                                          boost::math::tools::eps_tolerance<double>(40), n_iterations);
    if (bracket.first < first.length || first.direction < 0) first = {bracket.first, j};
  }
  return first;
}

/// Opens or closes a contact, and appends the event.
template <class Engine>
void YosidaPenalty<Engine>::open_or_close(Index j, NonsmoothState& state,
                                          std::vector<ContactEvent>& events) const {
  const std::size_t i = this->inclusions().inclusion_of(j);
  auto remembered = state.carried.segment(n_carried_per_contact * j, n_carried_per_contact);
  if (state.contacts[i] == ContactState::open) {
    state.contacts[i] = ContactState::closed;
    remembered << state.time, state.w[j], state.impulse[j];
    events.push_back({state.time, state.time, i, state.w.segment(j, 1), state.w.segment(j, 1),
                      LocalVector::Zero(1), ContactState::open, ContactState::closed});
    return;
  }
  state.contacts[i] = ContactState::open;
  state.r[j] = 0;
  events.push_back({remembered[0], state.time, i, LocalVector::Constant(1, remembered[1]),
                    state.w.segment(j, 1), LocalVector::Constant(1, state.impulse[j] - remembered[2]),
                    ContactState::closed, ContactState::open});
}

template <class Engine>
auto YosidaPenalty<Engine>::step_in_parts(const Point& from, double length, double end,
                                          std::vector<ContactEvent>& events) -> Point {
  const Index m = this->inclusions().n_directions();
  Point here = from;
  NonsmoothState& state = here.state;
  if (state.carried.size() != n_carried_per_contact * m) {
    state.carried = Vector::Zero(n_carried_per_contact * m);
    for (const Index j : directions_)
      state.carried.segment(n_carried_per_contact * j, n_carried_per_contact) << state.time, state.w[j],
          state.impulse[j];
  }
  // Whether each contact has opened or closed at the present instant.
  std::vector<bool> has_crossed(static_cast<std::size_t>(m), false);
  double left = length;
  for (;;) {
    Point to = this->smooth_part(here, left, end).to;
    const Crossing crossing = first_crossing(here, to.state, left, has_crossed);
    if (crossing.direction < 0) return to;
    if (crossing.length > 0) {
      here = this->smooth_part(here, crossing.length, state.time + crossing.length).to;
      left -= crossing.length;
      has_crossed.assign(has_crossed.size(), false);
    }
    has_crossed[static_cast<std::size_t>(crossing.direction)] = true;
    open_or_close(crossing.direction, state, events);
    this->select_at(here);
  }
}

template <class Engine>
std::vector<Check> YosidaPenalty<Engine>::kept_exactly() const {
  return {Check::kinematics};
}

template class YosidaPenalty<InstantiatedEngine>;

}  // namespace halfdof
