// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/nonsmooth/contact_impacts.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <utility>

namespace halfdof::internal {

namespace {

constexpr int max_repetitions = 10000;  ///< Largest number of repeated impacts at the beginning of a step.

template <class Engine>
const MultiVector& checked_delassus_matrix(const Inclusions<Engine>& inclusions,
                                           const InclusionOutcome& outcome) {
  if (inclusions.reduced().depends_on_state())
    throw NotAvailable(
        "Impact laws other than Newton's, and the correction of positions, need constant masses and are "
        "available only for systems without a state force. Use Newton's impact law without the "
        "correction of positions.");
  require_delassus(outcome.W.I, inclusions.n_directions(),
                   "Impact laws other than Newton's, and the correction of positions,", "W_I");
  return outcome.W.I;
}

}  // namespace

template <class Engine>
ContactImpacts<Engine>::ContactImpacts(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                       std::vector<std::size_t> contacts, const ImpactRules& rules)
    : inclusions_(inclusions),
      W_I_(checked_delassus_matrix(inclusions, outcome)),
      contacts_(std::move(contacts)),
      rules_(rules),
      input_(inclusions, outcome.options) {}

/// Returns the contacts that close within half a step or have struck before. The result is empty if none of
/// these contacts approaches.
template <class Engine>
std::vector<std::size_t> ContactImpacts<Engine>::striking(const NonsmoothState& from, double step,
                                                          const Vector& w, const Vector& size, double rest,
                                                          const std::vector<bool>& struck) const {
  std::vector<std::size_t> striking;
  bool approaches = false;
  for (const std::size_t i : contacts_) {
    const Index j = normal_of(i);
    if (!struck[i] && from.g[j] + 0.5 * step * w[j] > closing_tolerance * size[j]) continue;
    striking.push_back(i);
    approaches = approaches || w[j] < -rest;
  }
  return approaches ? striking : std::vector<std::size_t>();
}

/// Returns the impact of some contacts. @param w rates before the impact. Shapes: m
template <class Engine>
Impact ContactImpacts<Engine>::solve_impact(const std::vector<std::size_t>& members,
                                            const NonsmoothState& from, const Vector& w) const {
  std::vector<ImpactContact> contacts;
  std::vector<Index> directions;
  for (const std::size_t i : members) {
    const Inclusion& acting = inclusions_.acting()[i];
    const double friction =
        acting.law->cone_slope(acting.law->parameters(from.time, from.contacts[i])).value_or(0.);
    contacts.push_back(
        {acting.name, acting.law->dimension(), acting.law->restitution().value_or(0.), friction});
    for (Index d = 0; d < acting.law->dimension(); ++d)
      directions.push_back(normal_of(i) + d);
  }
  const Impact of_members = impact_by_law(rules_.law, contacts, W_I_(directions, directions), w(directions));
  Impact all{Vector::Zero(w.size()), Vector::Zero(w.size())};
  all.impulses(directions) = of_members.impulses;
  all.dissipated(directions) = of_members.dissipated;
  return all;
}

template <class Engine>
std::optional<NonsmoothState> ContactImpacts<Engine>::apply_impacts(const NonsmoothState& from, double step,
                                                                    const Vector& before, const Vector& size,
                                                                    double rest, std::vector<bool>& struck,
                                                                    std::vector<ContactEvent>& events) const {
  struck.assign(inclusions_.acting().size(), false);
  Impact all{Vector::Zero(before.size()), Vector::Zero(before.size())};
  Vector w = before;
  for (int n = 0;; ++n) {
    const std::vector<std::size_t> members = striking(from, step, w, size, rest, struck);
    if (members.empty()) break;
    if (n == max_repetitions)
      throw NoConvergence("Contacts have struck one another " + std::to_string(n) + " times at " +
                              seconds(from.time) + ", and the contact \"" +
                              inclusions_.acting()[members.front()].name +
                              "\" still closes. Give a shorter time step, or use the impact law newton.",
                          0.);
    const Impact next = solve_impact(members, from, w);
    all.impulses += next.impulses;
    all.dissipated += next.dissipated;
    w = before + W_I_ * all.impulses;
    for (const std::size_t i : members)
      struck[i] = struck[i] || all.impulses[normal_of(i)] != 0;
  }
  if (all.impulses.isZero(0.)) return std::nullopt;
  NonsmoothState to = from;
  to.y += input_.apply(all.impulses);
  to.impulse += all.impulses;
  record_impacts(from, before, all, w, rest, to, events);
  return to;
}

/// Records the sums of the dissipated energies of all impacts, the contact states, and the events.
/// @param after rates after the impacts
template <class Engine>
void ContactImpacts<Engine>::record_impacts(const NonsmoothState& from, const Vector& before,
                                            const Impact& all, const Vector& after, double rest,
                                            NonsmoothState& to, std::vector<ContactEvent>& events) const {
  for (const std::size_t i : contacts_) {
    const Law& law = *inclusions_.acting()[i].law;
    const Index j = normal_of(i), d = law.dimension();
    const LocalVector w_before = before.segment(j, d), w_after = after.segment(j, d),
                      impulse = all.impulses.segment(j, d);
    if (impulse.isZero(0.)) continue;
    to.dissipate(i, all.dissipated.segment(j, d).sum());
    to.contacts[i] = w_after[0] > rest
                         ? ContactState::open
                         : law.state(law.parameters(from.time, from.contacts[i]), w_after, impulse, rest);
    events.push_back({from.time, from.time, i, w_before, w_after, impulse, from.contacts[i], to.contacts[i]});
  }
}

template <class Engine>
void ContactImpacts<Engine>::correct_positions(const std::vector<bool>& rests, const Vector& size,
                                               NonsmoothState& to) const {
  std::vector<ImpactContact> contacts;
  std::vector<Index> normals;
  Vector gaps = to.g;
  bool is_inside = false;
  for (const std::size_t i : contacts_) {
    const Index j = normal_of(i);
    is_inside = is_inside || (rests[i] && to.g[j] < -closing_tolerance * size[j]);
    if (!rests[i]) gaps[j] = std::max(gaps[j], 0.);
    contacts.push_back({inclusions_.acting()[i].name, 1, 0.});
    normals.push_back(j);
  }
  if (!is_inside) return;
  Vector mu = Vector::Zero(gaps.size());
  mu(normals) = impact_by_law(ImpactLaw::newton, contacts, W_I_(normals, normals), gaps(normals)).impulses;
  const Vector moved = input_.apply(mu);
  to.y.head(inclusions_.reduced().classification().inertial().n_local()) += inclusions_.reduced().v_I(moved);
  to.g = inclusions_.gaps(to, to.r);
}

template class ContactImpacts<InstantiatedEngine>;

}  // namespace halfdof::internal
