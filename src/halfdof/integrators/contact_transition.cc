#include <halfdof/base/errors.h>
#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/integrators/contact_transition.h>
#include <halfdof/integrators/mixed_levels.h>
#include <halfdof/integrators/settled_reaction.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

constexpr double resting = 1e-10;   ///< rates, relative to SmoothMotion::rate_scale()
constexpr double touching = 1e-11;  ///< gaps, relative to the displacements that make them
constexpr double moving = 1e-10;    ///< plays, relative to what moves them
constexpr double rounding = 1e-14;  ///< displacements, relative to the terms that make them

/// Of what moves a direction itself, that impulses elsewhere may move it by.
constexpr double unmoved = 1e-8;

std::size_t at(Index j) {
  return static_cast<std::size_t>(j);
}

}  // namespace

/// An impulse lets the displacements of algebraic DoFs that it moves become infinite for an instant, and
/// those of viscous ones jump. No law there is met by that.
void ContactTransition::check(const CondensedInclusions& condensed) {
  for (Index j = 0; j < condensed.n_directions(); ++j)
    for (Index i = 0; i < condensed.n_directions(); ++i) {
      const auto &hit = condensed.place(j), &moved = condensed.place(i);
      const bool is_light =
          moved.kind == DoFKind::algebraic || (moved.kind == DoFKind::viscous && moved.is_contact);
      if (!hit.is_contact || hit.kind != DoFKind::inertial || !is_light) continue;
      const MultiVector& W = condensed.W_of(moved.kind);
      if (std::abs(W(i, j)) <= unmoved * W(i, i)) continue;
      throw NotAvailable(
          "Impulses of the contact \"" + hit.name + "\" would move \"" + moved.name +
          "\" at once, which acts on degrees of freedom without mass: rows of M or C couple these "
          "to masses. The event-driven integrator has no impact law for that. Take a method with "
          "steps of one length, Moreau-Jean for instance.");
    }
}

ContactTransition::ContactTransition(const SmoothMotion& motion, double shortest_flight, ImpactLaw impact_law)
    : motion_(motion),
      condensed_(motion.condensed()),
      shortest_flight_(shortest_flight),
      impact_law_(impact_law) {
  check(condensed_);
}

Vector ContactTransition::accelerations(const Vector& y, const CondensedInclusions::Forced& forced,
                                        const Vector& r, const SupportDerivatives& p) const {
  return condensed_.S_I * y + forced.a + condensed_.W.I * r + p.second;
}

/// Of contacts that touch.
Vector ContactTransition::impulses(const std::vector<Index>& directions, const Vector& w,
                                   const Vector& e) const {
  std::vector<ImpactContact> contacts;
  for (const Index j : directions)
    contacts.push_back({condensed_.place(j).name, 1, e[j]});
  Vector all = Vector::Zero(w.size());
  all(directions) =
      impact_impulses(impact_law_, contacts, condensed_.W.I(directions, directions), w(directions));
  return all;
}

/// Rates that count as rest: rounding; of what was held, whatever is no kink.
Vector ContactTransition::rest_of_rates(const BeforeTransition& before, const Vector& y,
                                        const CondensedInclusions::Forced& forced,
                                        const SupportDerivatives& p) const {
  // Whoever is held knows what holds it; who comes from elsewhere does not.
  const Vector none = Vector::Zero(before.r.size()),
               held = resting * motion_.rate_scale(before.time, y, forced, before.r, p.rate);
  Vector rest = resting * motion_.rate_scale(before.time, y, forced, none, p.rate);
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (SmoothMotion::is_held(before.states[at(j)])) rest[j] = held[j];
  if (!before.is_abrupt()) return rest;
  const Vector kink = motion_.kink_tolerance(before.time, y, forced, before.r, p.rate, p.second);
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (SmoothMotion::is_held(before.states[at(j)])) rest[j] = std::max(rest[j], kink[j]);
  return rest;
}

/// @return whether velocities jumped
bool ContactTransition::impact(const BeforeTransition& before, const CondensedInclusions::Forced& forced,
                               const SupportDerivatives& p, const std::vector<bool>& touches,
                               AfterTransition& after) const {
  const Vector w = condensed_.S_C * before.y + p.rate;
  const Vector rest = rest_of_rates(before, before.y, forced, p);
  std::vector<Index> directions;
  Vector e = Vector::Zero(w.size());
  bool approaches = false;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const auto& place = condensed_.place(j);
    if (place.kind != DoFKind::inertial || !place.is_contact || !touches[at(j)]) continue;
    directions.push_back(j);
    e[j] = place.restitution;
    const bool stayed = before.states[at(j)] == ContactState::closed && !before.is_abrupt();
    approaches = approaches || (!stayed && w[j] < -rest[j]);
  }
  if (!approaches) return false;
  after.impulses = impulses(directions, w, e);

  Vector r = before.r;
  for (const Index j : directions)
    r[j] = 0;
  const Vector y = before.y + condensed_.B_H * after.impulses;
  const Vector a = accelerations(y, condensed_.forced(before.time, y, r), r, p),
               rebound = condensed_.S_C * y + p.rate;
  bool sticks = false;
  for (const Index j : directions)
    if (after.impulses[j] > 0 && rebound[j] > 0 && a[j] < 0 && 2 * rebound[j] < -a[j] * shortest_flight()) {
      e[j] = 0;
      sticks = true;
    }
  if (sticks) after.impulses = impulses(directions, w, e);
  after.y = before.y + condensed_.B_H * after.impulses;
  after.dissipated = -0.5 * after.impulses.cwiseProduct(w + condensed_.S_C * after.y + p.rate);
  return true;
}

/// Adds the reactions of some directions, each met by what its kind tells. @param b that without them, of all
LawsAtTime ContactTransition::meet(double time, const std::vector<Index>& directions, const Vector& b,
                                   const std::vector<ContactState>& states, Answer& answer) const {
  if (directions.empty()) return {};
  std::vector<NamedLaw> laws;
  std::vector<DoFKind> kinds;
  std::vector<ContactState> before;
  MultiVector W(static_cast<Index>(directions.size()), static_cast<Index>(directions.size()));
  for (const Index j : directions) {
    const auto& place = condensed_.place(j);
    W.row(static_cast<Index>(laws.size())) = condensed_.W_of(place.kind)(j, directions);
    laws.push_back({place.owner, place.name});
    kinds.push_back(place.kind);
    before.push_back(states[at(j)]);
  }
  MixedLevels problem(laws, kinds, W);
  LawsAtTime now = problem.problem().laws_at(time, before);
  const Vector b_here = b(directions);
  Vector r = Vector::Zero(b_here.size()), x = r;
  problem.solve(now, b_here, r, x);
  const std::vector<ContactState> found = problem.states(now, b_here, r, x);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    answer.r[directions[i]] = r[static_cast<Index>(i)];
    answer.w[directions[i]] = x[static_cast<Index>(i)];
    answer.states[at(directions[i])] = found[i];
  }
  return now;
}

/// Plays that slip, by how far everything moves on the way ahead: a long chain is stretched far more.
/// @param directions those that algebraic DoFs decide, to which the first of the laws belong
void ContactTransition::decide_plays(const std::vector<Index>& directions, const LawsAtTime& laws,
                                     const Answer& here, Answer& ahead) const {
  const MultiVector W = condensed_.W.K(directions, Eigen::all).cwiseAbs();
  const Vector change = (ahead.s - here.s)(directions).cwiseAbs() + W * (ahead.r - here.r).cwiseAbs();
  const Vector size = ahead.s(directions).cwiseAbs() + W * ahead.r.cwiseAbs();
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Index j = directions[i], k = static_cast<Index>(i);
    const auto& place = condensed_.place(j);
    if (!place.is_contact)
      ahead.states[at(j)] = place.law->state(laws.parameters[i], ahead.w.segment(j, 1), ahead.r.segment(j, 1),
                                             moving * change[k] + rounding * size[k]);
  }
}

/// Friction that moves nothing; contacts that nothing can keep open.
void ContactTransition::recover(double time, const Vector& w, const Vector& g, Vector& r,
                                std::vector<ContactState>& states) const {
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const auto& place = condensed_.place(j);
    if (place.kind != DoFKind::constrained) continue;
    if (place.is_contact) {
      check_held_gap(place.name, g[j], closing_tolerance * condensed_.prescribed_size(time)[j], time);
      states[at(j)] = ContactState::open;
      r[j] = 0;
      continue;
    }
    LawParameters parameters = place.law->parameters(time, states[at(j)]);
    const Vector w_here = w.segment(j, 1), wish = r.segment(j, 1);
    r.segment(j, 1) = settled_reaction(*place.law, parameters, w_here, wish);
    states[at(j)] = place.law->state(parameters, w_here, r.segment(j, 1), 0.);
  }
}

auto ContactTransition::answer(const Situation& now) const -> Answer {
  ForcedIteration iteration(condensed_, Vector::Constant(1, now.time), now.y, now.guess);
  Answer answer;
  do
    answer = answer_under(iteration.forced().front(), now);
  while (iteration.again(now.y, answer.r));
  return answer;
}

auto ContactTransition::answer_under(const CondensedInclusions::Forced& forced, const Situation& now) const
    -> Answer {
  const Index m = condensed_.n_directions();
  const SupportDerivatives p = motion_.support_at(now.time);
  Answer answer{Vector::Zero(m), now.w, now.states, condensed_.S_K * now.y + forced.s + p.value, forced};
  std::vector<Index> algebraic, viscous, inertial;
  for (Index j = 0; j < m; ++j) {
    const auto& place = condensed_.place(j);
    if (place.kind == DoFKind::algebraic) algebraic.push_back(j);
    if (place.kind == DoFKind::constrained || place.kind == DoFKind::algebraic) continue;
    if (place.is_contact && !now.touches[at(j)]) {
      answer.states[at(j)] = ContactState::open;
      continue;
    }
    if (place.kind == DoFKind::viscous)
      viscous.push_back(j);
    else if (now.rests[at(j)])
      inertial.push_back(j);
    else if (place.is_contact)
      answer.states[at(j)] = ContactState::open;
    else
      answer.states[at(j)] = now.w[j] > 0 ? ContactState::slip_forward : ContactState::slip_back;
  }

  const Vector w = condensed_.S_C * now.y + forced.w + p.rate;
  recover(now.time, w, answer.s, answer.r, answer.states);
  for (Index j = 0; j < m; ++j)
    if (condensed_.place(j).kind == DoFKind::inertial && !condensed_.place(j).is_contact &&
        !now.rests[at(j)]) {
      const ContactState state = answer.states[at(j)];
      const Interval bounds = condensed_.interval(j, now.time, state);
      answer.r[j] = state == ContactState::slip_forward ? bounds.lower : bounds.upper;
    }

  // All others together: each kind may move the others at once.
  std::vector<Index> directions = algebraic;
  directions.insert(directions.end(), viscous.begin(), viscous.end());
  directions.insert(directions.end(), inertial.begin(), inertial.end());
  Vector b = Vector::Zero(m);
  b(algebraic) = (answer.s - now.targets + condensed_.W.K * answer.r)(algebraic);
  b(viscous) = (w + condensed_.W.C * answer.r)(viscous);
  b(inertial) = accelerations(now.y, forced, answer.r, p)(inertial);
  const LawsAtTime laws = meet(now.time, directions, b, now.states, answer);
  if (now.here) decide_plays(algebraic, laws, *now.here, answer);
  return answer;
}

std::vector<bool> ContactTransition::touching_contacts(const BeforeTransition& before,
                                                       const SupportDerivatives& p) const {
  const Vector length = condensed_.S_K.cwiseAbs() * before.y.cwiseAbs() + p.value.cwiseAbs();
  std::vector<bool> touches;
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    touches.push_back(condensed_.place(j).is_contact &&
                      (before.states[at(j)] == ContactState::closed || before.triggered == j ||
                       before.g[j] <= touching * length[j]));
  return touches;
}

/// After the impacts, of which `after` is told: who touches, who rests.
auto ContactTransition::situation(const BeforeTransition& before, const SupportDerivatives& p,
                                  AfterTransition& after) const -> Situation {
  const Index m = condensed_.n_directions();
  Situation now{before.time, {}, before.states, Vector::Zero(m), touching_contacts(before, p),
                {},          {}, before.guess};
  const Vector w_before = condensed_.S_C * before.y + p.rate;
  const CondensedInclusions::Forced forced = condensed_.forced(before.time, before.y, before.r);
  const bool jumped = impact(before, forced, p, now.touches, after);
  now.y = after.y;
  now.w = condensed_.S_C * now.y + p.rate;

  const Vector rest = rest_of_rates(before, now.y.cwiseAbs().cwiseMax(before.y.cwiseAbs()), forced, p);
  for (Index j = 0; j < m; ++j) {
    const auto& place = condensed_.place(j);
    if (place.kind == DoFKind::inertial) after.w_before[j] = w_before[j];
    const bool was_held = SmoothMotion::is_held(before.states[at(j)]);
    const bool changed = before.is_abrupt() || (jumped && std::abs(now.w[j] - w_before[j]) > rest[j]);
    const bool kept = (was_held || (before.triggered == j && !place.is_contact)) && !changed;
    const double speed = place.is_contact ? now.w[j] : std::abs(now.w[j]);
    const bool is_open = place.is_contact && !now.touches[at(j)];
    now.rests.push_back(!is_open && (kept || speed <= rest[j]));
    // Plays move from where they are; contacts have no place of their own.
    if (!place.is_contact) now.targets[j] = before.g[j];
    if (now.rests.back() && place.kind == DoFKind::inertial) now.w[j] = 0;
  }
  return now;
}

/// The answers a little ahead, on the way on which the answers here send everybody. @param g gaps here
auto ContactTransition::look_ahead(const BeforeTransition& before, const Situation& now, const Answer& here,
                                   const Vector& g) const -> Answer {
  const auto y_rate = [&](const Situation& then, const Answer& answer) {
    return Vector(condensed_.A * then.y + answer.forced.y_rate + condensed_.B_H * answer.r);
  };
  const Vector rate_here = y_rate(now, here);
  Situation ahead = now;
  ahead.guess = here.r;
  ahead.here = &here;
  ahead.time += before.ahead;
  ahead.y += before.ahead * rate_here;
  ahead.states = here.states;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    if (!condensed_.place(j).is_contact) ahead.targets[j] = g[j];
    // Whoever sticks keeps the threshold of sticking.
    if (before.states[at(j)] == ContactState::stick && now.rests[at(j)])
      ahead.states[at(j)] = ContactState::stick;
  }
  // To second order: a play that turns at this instant is told by how its rate changes.
  const Vector rate_ahead = y_rate(ahead, answer(ahead));
  ahead.y = now.y + 0.5 * before.ahead * (rate_here + rate_ahead);
  return answer(ahead);
}

/// What plays take that loads move at once. @param slip by how far
Vector ContactTransition::dissipated_by_plays(const Vector& slip, const Vector& r) const {
  Vector dissipated = Vector::Zero(slip.size());
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (const auto& place = condensed_.place(j); place.kind == DoFKind::algebraic && !place.is_contact)
      dissipated[j] = place.law->dissipated_power(slip.segment(j, 1), r.segment(j, 1));
  return dissipated;
}

/// Contacts without a reaction, whose gaps stay closed because of others: the reactions of these are
/// determined then.
void ContactTransition::open_redundant(const Vector& r, std::vector<ContactState>& states) const {
  if (!motion_.are_dependent(states)) return;
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (states[at(j)] == ContactState::closed && r[j] == 0) states[at(j)] = ContactState::open;
}

AfterTransition ContactTransition::operator()(const BeforeTransition& before) const {
  const Index m = condensed_.n_directions();
  const SupportDerivatives p = motion_.support_at(before.time);
  AfterTransition after{before.w, before.y,      before.r,        before.w,
                        before.g, before.states, Vector::Zero(m), Vector::Zero(m)};
  const Situation now = situation(before, p, after);

  // At the instant itself: reactions, and with them the motion that follows.
  const Answer here = answer(now);
  after.g = condensed_.S_K * now.y + here.forced.s + p.value + condensed_.W.K * here.r;
  after.dissipated += dissipated_by_plays(after.g - before.g, here.r);
  const Answer then = look_ahead(before, now, here, after.g);
  after.states = then.states;
  open_redundant(then.r, after.states);

  const SmoothMotion::Mode mode{after.states, after.g};
  after.r = motion_.reactions(mode, before.time, after.y, p, here.r);
  for (Index j = 0; j < m; ++j) {
    const auto& place = condensed_.place(j);
    if (place.kind == DoFKind::constrained) after.r[j] = here.r[j];
    after.w[j] = place.kind == DoFKind::algebraic ? (place.is_contact ? 0. : then.w[j] / before.ahead)
                 : place.kind == DoFKind::viscous && (!place.is_contact || now.touches[at(j)]) ? here.w[j]
                                                                                               : now.w[j];
  }
  return after;
}

}  // namespace halfdof
