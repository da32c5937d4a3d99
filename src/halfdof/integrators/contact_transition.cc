#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/inclusions/unilateral_contact.h>
#include <halfdof/integrators/contact_transition.h>
#include <halfdof/integrators/mixed_levels.h>
#include <halfdof/integrators/settled_reaction.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

constexpr double touching = 1e-11;    ///< gaps, relative to the displacements that make them
constexpr double left_behind = 1e-7;  ///< gaps of contacts that were closed, likewise
constexpr double in_reach = 1e-12;    ///< gaps, relative to what rates and forces make in a time scale
constexpr double lost = 1e2;      ///< speeds of Coulomb friction at events, relative to rates that are rest
constexpr double moving = 1e-10;  ///< plays, relative to what moves them
constexpr double left_by_steps = 1e-11;  ///< what steps leave of constraints, relative to their terms
constexpr double rounding = 1e-14;       ///< displacements, relative to the terms that make them

/// Ways to look ahead: the next one relative to the one before, the shortest relative to the first, and that
/// relative to the time, of which rounding leaves loads that move.
constexpr double shorter_by = 1e-2, shorter = 1e-7, shortest_look = 1e-12;

/// What friction that slides must leave of what a normal reaction moves its contact by.
constexpr double unmoved = 1e-8;

std::size_t at(Index j) {
  return static_cast<std::size_t>(j);
}

}  // namespace

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

/// Adds the reactions of some directions, each met by what its kind tells. Normals of friction that slides
/// bring the reactions of their tangents along. @param b that without them, of all
LawsAtTime ContactTransition::meet(const Situation& now, const std::vector<Index>& directions,
                                   const Vector& b, const Vector& uncertainty, Answer& answer) const {
  if (directions.empty()) return {};
  static const auto pressed = std::make_shared<const UnilateralContact>();
  const auto n = static_cast<Index>(directions.size());
  std::vector<NamedLaw> laws;
  std::vector<DoFKind> kinds;
  std::vector<ContactState> before;
  MultiVector r_of = MultiVector::Zero(condensed_.n_directions(), n), W(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index j = directions[at(i)];
    const auto& place = condensed_.place(j);
    kinds.push_back(place.kind);
    r_of(j, i) = 1;
    if (slides(now, j)) r_of.col(i).segment(j + 1, place.law->dimension() - 1) = sliding_reaction(now, j);
    if (place.is_tangent()) continue;
    laws.push_back({slides(now, j) ? pressed : place.at_instant, place.name});
    before.push_back(now.states[at(j)]);
  }
  for (Index i = 0; i < n; ++i) {
    const Index j = directions[at(i)];
    W.row(i) = condensed_.W_of(condensed_.place(j).kind).row(j) * r_of;
    if (slides(now, j)) check_pressing(now.time, j, W(i, i));
  }
  MixedLevels problem(laws, kinds, W);
  LawsAtTime at_time = problem.problem().laws_at(now.time, before);
  const Vector b_here = b(directions);
  Vector r = Vector::Zero(n), x = r;
  problem.solve(at_time, b_here, r, x, uncertainty(directions));
  const std::vector<ContactState> found = problem.states(at_time, b_here, r, x);
  answer.r += r_of * r;
  std::size_t law = 0;
  for (Index i = 0; i < n; ++i) {
    const Index j = directions[at(i)];
    const auto& place = condensed_.place(j);
    answer.w[j] = x[i];
    if (place.is_tangent()) continue;
    set_states(j, slides(now, j), found[law++], answer.states);
  }
  return at_time;
}

/// What steps and rounding leave of what the kinds of all directions tell.
Vector ContactTransition::uncertainty(const Situation& now, const CondensedInclusions::Forced& forced,
                                      const SupportDerivatives& p) const {
  const Vector y = now.y.cwiseAbs();
  Vector size(condensed_.n_directions());
  for (Index j = 0; j < size.size(); ++j) {
    const DoFKind kind = condensed_.place(j).kind;
    const Vector& motion = kind == DoFKind::algebraic ? p.value
                           : kind == DoFKind::viscous ? p.rate
                                                      : p.second;
    size[j] = condensed_.S(kind).row(j).cwiseAbs().dot(y) +
              std::abs(CondensedInclusions::part(forced, kind)[j]) + std::abs(motion[j]);
    if (kind == DoFKind::algebraic) size[j] += std::abs(now.targets[j]);
  }
  return left_by_steps * size;
}

/// Whether a normal is that of friction that slides.
bool ContactTransition::slides(const Situation& now, Index j) const {
  return condensed_.place(j).is_normal() && !now.rests[at(j + 1)];
}

/// Of the tangents, for a unit normal reaction.
Vector ContactTransition::sliding_reaction(const Situation& now, Index normal) const {
  const Vector w = now.w.segment(normal + 1, condensed_.place(normal).law->dimension() - 1);
  return -condensed_.friction(normal, now.time) / w.norm() * w;
}

/// What a unit normal reaction and the friction that follows from it move the contact by.
void ContactTransition::check_pressing(double time, Index normal, double W) const {
  if (W > unmoved * condensed_.W.I(normal, normal)) return;
  throw PainleveState(condensed_.place(normal).name, time);
}

/// Of an inclusion, and of its tangents.
void ContactTransition::set_states(Index j, bool slides, ContactState found,
                                   std::vector<ContactState>& states) const {
  const auto& place = condensed_.place(j);
  states[at(j)] = found;
  if (!place.is_normal()) return;
  ContactState of_tangents = found;
  if (found != ContactState::open) {
    states[at(j)] = ContactState::closed;
    of_tangents = slides || found != ContactState::stick ? ContactState::slip : ContactState::stick;
  }
  for (Index k = 1; k < place.law->dimension(); ++k)
    states[at(j + k)] = of_tangents;
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
    if (place.kind == DoFKind::constrained || place.kind == DoFKind::algebraic || place.is_tangent())
      continue;
    if (place.is_contact && !now.touches[at(j)]) {
      set_states(j, false, ContactState::open, answer.states);
      continue;
    }
    if (place.kind == DoFKind::viscous) {
      viscous.push_back(j);
    } else if (now.rests[at(j)]) {
      inertial.push_back(j);
      for (Index k = 1; k < place.law->dimension() && !slides(now, j); ++k)
        inertial.push_back(j + k);
    } else if (place.is_contact)
      set_states(j, false, ContactState::open, answer.states);
    else
      answer.states[at(j)] = now.w[j] > 0 ? ContactState::slip_forward : ContactState::slip_back;
  }

  const Vector w = condensed_.S_C * now.y + forced.w + p.rate;
  recover(now.time, w, answer.s, answer.r, answer.states);
  for (Index j = 0; j < m; ++j)
    if (const auto& place = condensed_.place(j);
        place.kind == DoFKind::inertial && !place.is_contact && !place.is_tangent() && !now.rests[at(j)])
      answer.r[j] = condensed_.sliding(j, now.time, answer.states[at(j)], now.w[j]).r;

  // All others together: each kind may move the others at once.
  std::vector<Index> directions = algebraic;
  directions.insert(directions.end(), viscous.begin(), viscous.end());
  directions.insert(directions.end(), inertial.begin(), inertial.end());
  Vector b = Vector::Zero(m);
  b(algebraic) = (answer.s - now.targets + condensed_.W.K * answer.r)(algebraic);
  b(viscous) = (w + condensed_.W.C * answer.r)(viscous);
  b(inertial) = accelerations(now.y, forced, answer.r, p)(inertial);
  const LawsAtTime laws = meet(now, directions, b, uncertainty(now, forced, p), answer);
  if (now.here) decide_plays(algebraic, laws, *now.here, answer);
  return answer;
}

/// Where gaps close together, displacements may be zero but for rounding of those before. An obstacle that
/// jumps leaves behind what has mass or damping.
std::vector<bool> ContactTransition::touching_contacts(const BeforeTransition& before,
                                                       const CondensedInclusions::Forced& forced,
                                                       const SupportDerivatives& p) const {
  const Vector length = condensed_.S_K.cwiseAbs() * before.y.cwiseAbs() + p.value.cwiseAbs(),
               reach =
                   motion_.time_scale() * motion_.rate_scale(before.time, before.y, forced, before.r, p.rate);
  const Vector g = condensed_.S_K * before.y + p.value;  // behind a jump
  std::vector<bool> touches;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const auto& place = condensed_.place(j);
    const bool was_closed = before.states[at(j)] == ContactState::closed || before.triggered == j,
               may_be_left = before.is_abrupt() &&
                             (place.kind == DoFKind::inertial || place.kind == DoFKind::viscous) &&
                             (place.is_driven || !place.law->support(0).is_constant());
    if (place.is_tangent())
      touches.push_back(touches[at(condensed_.normal_of(j))]);
    else if (!place.is_contact)
      touches.push_back(false);
    else if (was_closed)
      touches.push_back(!may_be_left || g[j] <= left_behind * length[j] + in_reach * reach[j]);
    else
      touches.push_back(before.g[j] <= touching * length[j] + in_reach * reach[j]);
  }
  return touches;
}

/// Gaps without what contacts that touch on algebraic DoFs are off by: steps, and the iteration for a state
/// force, know gaps to their tolerances, and a play that stood off by these from where a contact holds it
/// could not rest.
Vector ContactTransition::places_of_plays(const Vector& g, const std::vector<bool>& touches) const {
  std::vector<Index> touching;
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (condensed_.place(j).kind == DoFKind::algebraic && condensed_.place(j).is_contact && touches[at(j)])
      touching.push_back(j);
  if (touching.empty()) return g;
  return g - motion_.moved_with(touching, g(touching));
}

/// After the impacts, of which `after` is told: who touches, who rests.
auto ContactTransition::situation(const BeforeTransition& before, const SupportDerivatives& p,
                                  AfterTransition& after) const -> Situation {
  const Index m = condensed_.n_directions();
  const CondensedInclusions::Forced forced = condensed_.forced(before.time, before.y, before.r);
  Situation now{before.time, {}, before.states, Vector::Zero(m), touching_contacts(before, forced, p),
                {},          {}, before.guess};
  const Vector w_before = condensed_.S_C * before.y + p.rate;
  const bool jumped = impact(before, forced, p, now.touches, after);
  now.y = after.y;
  now.w = condensed_.S_C * now.y + p.rate;
  const Vector w_after = now.w;

  const Vector rest = rest_of_rates(before, now.y.cwiseAbs().cwiseMax(before.y.cwiseAbs()), forced, p),
               places = places_of_plays(before.g, now.touches);
  for (Index j = 0; j < m; ++j) {
    const auto& place = condensed_.place(j);
    if (place.kind == DoFKind::inertial) after.w_before[j] = w_before[j];
    // Tangents of one contact rest together, or slip.
    const Index first = place.is_tangent() ? condensed_.normal_of(j) + 1 : j,
                n = place.is_tangent() ? place.law->dimension() - 1 : 1;
    const auto size = [&](const Vector& all) { return all.segment(first, n).norm(); };
    const bool was_held = SmoothMotion::is_held(before.states[at(j)]);
    const bool changed = before.is_abrupt() || (jumped && size(now.w - w_before) > size(rest));
    const bool was_triggered =
        before.triggered && *before.triggered >= first && *before.triggered < first + n && !place.is_contact;
    const double speed = place.is_contact ? w_after[j] : size(w_after);
    const bool turns = place.is_tangent() && was_triggered && !was_held && speed > lost * size(rest);
    const bool is_open = place.is_contact && !now.touches[at(j)];
    now.rests.push_back(!is_open &&
                        (((was_held || (was_triggered && !turns)) && !changed) || speed <= size(rest)));
    // Plays move from where they are; contacts have no place of their own.
    if (!place.is_contact) now.targets[j] = places[j];
    if (now.rests.back() && place.kind == DoFKind::inertial) now.w[j] = 0;
  }
  return now;
}

/// The answers a little ahead, where the motion goes with the answers here. @param g gaps here
auto ContactTransition::look_ahead(const BeforeTransition& before, const LookAhead& look,
                                   const Situation& now, const Answer& here, const Vector& g) const
    -> Answer {
  const auto y_rate = [&](const Situation& then, const Answer& answer) {
    return Vector(condensed_.A * then.y + answer.forced.y_rate + condensed_.B_H * answer.r);
  };
  const Vector rate_here = y_rate(now, here);
  Situation ahead = now;
  ahead.guess = here.r;
  ahead.here = &here;
  ahead.time += look.time;
  ahead.y += look.time * rate_here;
  ahead.states = here.states;
  std::vector<bool> is_closed;
  for (const ContactState state : here.states)
    is_closed.push_back(state == ContactState::closed);
  const Vector places = places_of_plays(g, is_closed);
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    if (!condensed_.place(j).is_contact) ahead.targets[j] = places[j];
    // Friction that sticks keeps the threshold of sticking.
    if (before.states[at(j)] == ContactState::stick && now.rests[at(j)])
      ahead.states[at(j)] = ContactState::stick;
  }
  // To second order at least: a play that turns at this instant is told by how its rate changes.
  for (Index sweep = 0; sweep < look.n_sweeps; ++sweep) {
    const Vector rate_ahead = y_rate(ahead, answer(ahead));
    ahead.y = now.y + 0.5 * look.time * (rate_here + rate_ahead);
  }
  return answer(ahead);
}

/// What friction takes at once: plays that loads move, and what a support that jumps drags along.
/// @param slip by how far
Vector ContactTransition::dissipated_by_jumps(const BeforeTransition& before, const Vector& slip,
                                              const Vector& r) const {
  Vector dissipated = Vector::Zero(slip.size());
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const auto& place = condensed_.place(j);
    if (place.is_contact || place.is_tangent() || slip[j] == 0) continue;
    const double in_slip = place.kind == DoFKind::algebraic
                               ? reaction_in_jump(before.r[j], r[j])
                               : reaction_in_jump_of_support(*place.law, before.time, slip[j]);
    dissipated[j] = place.law->dissipated_power(slip.segment(j, 1), LocalVector::Constant(1, in_slip));
  }
  return dissipated;
}

/// Whether friction takes less once it slips that way than while it sticks.
bool ContactTransition::drops(Index j, double time, ContactState slips) const {
  const auto& place = condensed_.place(j);
  if (place.is_contact || place.is_tangent()) return false;
  const Interval at_rest = condensed_.interval(j, time, ContactState::stick);
  const double bound = slips == ContactState::slip_forward ? at_rest.lower : at_rest.upper;
  return std::abs(condensed_.sliding(j, time, slips, 0.).r) < std::abs(bound);
}

/// The mode in which friction that shares a load with others at the instant goes on to hold it. None where
/// all of it is at its bounds and has to slip: one of them drops to a smaller threshold, or the one whose
/// reaction was determined alone has met its bound.
auto ContactTransition::mode_with_shared_friction(const BeforeTransition& before, const Situation& now,
                                                  const Answer& here, const Vector& g) const
    -> std::optional<SmoothMotion::Mode> {
  SmoothMotion::Mode mode{here.states, g, here.r};
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    // Where nothing moves at the instant, plays that slip seem to stick.
    const auto& place = condensed_.place(j);
    const bool is_play = place.kind == DoFKind::algebraic && !place.is_contact && !place.is_tangent();
    if (is_play && !SmoothMotion::is_held(before.states[at(j)])) mode.states[at(j)] = before.states[at(j)];
  }
  bool shares = false, drops_any = false;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    if (condensed_.place(j).is_contact || !motion_.is_shared(mode.states, j)) continue;
    shares = true;
    for (const ContactState slips : {ContactState::slip_forward, ContactState::slip_back})
      drops_any = drops_any || drops(j, now.time, slips);
  }
  if (!shares) return std::nullopt;
  mode.reactions = motion_.reactions(mode, now.time, now.y, motion_.support_at(now.time), here.r);
  const std::optional<double> margin = motion_.share_within_bounds(mode, now.time, mode.reactions);
  const bool was_determined = before.triggered && !condensed_.place(*before.triggered).is_contact &&
                              !motion_.is_shared(before.states, *before.triggered);
  if (!margin || (*margin == 0 && (was_determined || drops_any))) return std::nullopt;
  return mode;
}

/// Whether friction that shares a load slips ahead although no supports that move apart tear it apart.
bool ContactTransition::shared_friction_slips(const SmoothMotion::Mode& shared, const Vector& uncertainty,
                                              const Answer& ahead) const {
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (!condensed_.place(j).is_contact && motion_.is_shared(shared.states, j) &&
        !SmoothMotion::is_held(ahead.states[at(j)]))
      return motion_.are_compatible(shared.states, ahead.w, uncertainty);
  return false;
}

/// Whether all directions that share no load have the same states ahead.
bool ContactTransition::others_keep_states(const SmoothMotion::Mode& shared, const Answer& ahead) const {
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (!motion_.is_shared(shared.states, j) && ahead.states[at(j)] != shared.states[at(j)]) return false;
  return true;
}

/// The answers ahead, on a way so short that friction that shares a load goes on to hold it: farther ahead it
/// may be beyond bounds that it does not meet yet. @param look on return the way that was taken
auto ContactTransition::shortened_look_ahead(const BeforeTransition& before, const Situation& now,
                                             const Answer& here, const Vector& g, const Vector& uncertainty,
                                             LookAhead& look) const -> Answer {
  Answer ahead = look_ahead(before, look, now, here, g);
  const std::optional<SmoothMotion::Mode> shared = mode_with_shared_friction(before, now, here, g);
  if (!shared || !shared_friction_slips(*shared, uncertainty, ahead)) return ahead;
  const double shortest = shortest_look * std::abs(now.time);
  for (LookAhead nearer = look; nearer.time > shorter * look.time && nearer.time * shorter_by > shortest;) {
    nearer.time *= shorter_by;
    Answer near = look_ahead(before, nearer, now, here, g);
    if (shared_friction_slips(*shared, uncertainty, near) || !others_keep_states(*shared, near)) continue;
    look = nearer;
    return near;
  }
  if (!others_keep_states(*shared, ahead)) return ahead;
  // Friction is so near to its bounds that it slips on the shortest way: release_redundant() lets go what is
  // at its bound, and the others hold until their own event.
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const bool opens = condensed_.place(j).is_contact && shared->reactions[j] == 0;
    if (opens || !motion_.is_shared(shared->states, j)) continue;
    ahead.states[at(j)] = shared->states[at(j)];
    ahead.r[j] = shared->reactions[j];
  }
  return ahead;
}

/// Contacts without a reaction, and friction at its bound, that others hold: reactions of these are
/// determined then, and take up what follows.
void ContactTransition::release_redundant(double time, const Vector& r,
                                          std::vector<ContactState>& states) const {
  if (!motion_.are_dependent(states)) return;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    if (condensed_.place(j).law->dimension() > 1) continue;
    ContactState& state = states[at(j)];
    const ContactState held = state;
    if (held == ContactState::closed && r[j] == 0) state = ContactState::open;
    if (held == ContactState::stick) {
      const Interval bounds = condensed_.interval(j, time, held);
      if (r[j] <= bounds.lower) state = ContactState::slip_forward;
      if (r[j] >= bounds.upper) state = ContactState::slip_back;
    }
    const bool gives_less = held == ContactState::stick && state != held && drops(j, time, state);
    if (state != held && !motion_.follows_held(gives_less ? without_friction(states) : states, j))
      state = held;
  }
}

/// Marks all friction as slipping. Friction that drops to a smaller threshold may be released only where
/// contacts hold its direction alone: other friction at its bound could not take what it no longer carries.
std::vector<ContactState> ContactTransition::without_friction(std::vector<ContactState> states) const {
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (!condensed_.place(j).is_contact && states[at(j)] == ContactState::stick)
      states[at(j)] = ContactState::slip_forward;
  return states;
}

/// Whether a held inclusion may open or slip within the look ahead: only if its reaction at the instant
/// itself is at that bound.
bool ContactTransition::may_let_go(Index j, const Situation& now, const Answer& here,
                                   const Vector& uncertainty, ContactState to) const {
  constexpr double at_bound = 1e-9;  // of reactions, what steps and the look ahead may be off by
  const auto& place = condensed_.place(j);
  const bool is_one = place.law->dimension() == 1 && place.kind != DoFKind::constrained;
  if (!is_one || !SmoothMotion::is_held(here.states[at(j)])) return true;
  const MultiVector& W = condensed_.W_of(place.kind);
  const double terms = W.row(j).cwiseAbs().dot(here.r.cwiseAbs());
  const double margin = W(j, j) > 0 ? (at_bound * terms + uncertainty[j]) / W(j, j) : 0.;
  if (place.is_contact) return here.r[j] <= margin;
  const Interval bounds = condensed_.interval(j, now.time, ContactState::stick);
  return to == ContactState::slip_forward ? here.r[j] <= bounds.lower + margin
                                          : here.r[j] >= bounds.upper - margin;
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
  after.dissipated += dissipated_by_jumps(before, after.g - before.g, here.r);
  const Vector allowed = uncertainty(now, here.forced, p);
  LookAhead ahead = before.ahead;
  Answer then = shortened_look_ahead(before, now, here, after.g, allowed, ahead);
  // Reactions of redundant directions are not determined: each alone tells nothing.
  const bool are_determined = !motion_.are_dependent(here.states);
  for (Index j = 0; are_determined && j < m; ++j)
    if (before.triggered != j && !SmoothMotion::is_held(then.states[at(j)]) &&
        !may_let_go(j, now, here, allowed, then.states[at(j)]))
      then.states[at(j)] = here.states[at(j)];
  motion_.share_within_bounds({then.states, after.g, then.r}, before.time + ahead.time, then.r);
  after.states = then.states;
  release_redundant(before.time + ahead.time, then.r, after.states);

  const SmoothMotion::Mode mode{after.states, after.g, then.r};
  // What began to rest has lost its speed, whether it sticks or slips another way.
  SmoothMotion::Mode at_rest = mode;
  for (Index j = 0; j < m; ++j)
    if (condensed_.place(j).is_tangent() && now.rests[at(j)] && at_rest.states[at(j)] == ContactState::slip)
      at_rest.states[at(j)] = ContactState::stick;
  after.y = motion_.on_constraints(at_rest, after.y, p.rate);
  after.r = motion_.reactions(mode, before.time, after.y, p, here.r);
  for (Index j = 0; j < m; ++j) {
    const auto& place = condensed_.place(j);
    if (place.kind == DoFKind::constrained) after.r[j] = here.r[j];
    const bool stays = place.is_contact || SmoothMotion::is_held(after.states[at(j)]);
    after.w[j] = place.kind == DoFKind::algebraic ? (stays ? 0. : then.w[j] / ahead.time)
                 : place.kind == DoFKind::viscous && (!place.is_contact || now.touches[at(j)]) ? here.w[j]
                                                                                               : now.w[j];
  }
  return after;
}

}  // namespace halfdof
