// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/event_driven/contact_transition.h>
#include <halfdof/integrators/instantaneous_law_problem.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// Largest gap of a touching contact, relative to the displacements from which the gap is computed.
constexpr double touching = 1e-11;
/// Largest gap of a touching contact that was closed before, relative to the displacements.
constexpr double touching_if_closed = 1e-7;
/// Largest gap of a touching contact, relative to the motion that rates and forces cause within the time
/// scale.
constexpr double touching_by_motion = 1e-12;
/// Smallest speed of Coulomb friction that counts as slip at an event, relative to the largest speed that
/// counts as rest.
constexpr double speed_of_slip = 1e2;
/// Smallest motion of a play that slips, relative to the terms that move the play.
constexpr double least_slip_of_play = 1e-10;
constexpr double errors_of_steps = 1e-11;  ///< Errors of constraints after a step, relative to their terms.
constexpr double rounding_of_displacements =
    1e-14;  ///< Rounding errors of displacements, relative to their terms.
/// Smallest normal acceleration of a contact by a unit normal reaction with its sliding friction, relative to
/// the acceleration without friction.
constexpr double negligible_acceleration = 1e-8;

}  // namespace

ContactTransition::ContactTransition(const SmoothMotion& motion, double shortest_flight, ImpactLaw impact_law)
    : motion_(motion),
      condensed_(motion.condensed()),
      shortest_flight_(shortest_flight),
      impact_law_(impact_law) {
  check(condensed_);
}

Vector ContactTransition::accelerations(const Vector& y, const CondensedInclusions::LoadTerms& load_terms,
                                        const Vector& r, const SupportDerivatives& p) const {
  return condensed_.S_I * y + load_terms.a + condensed_.W.I * r + p.second;
}

/// Solves the laws of some directions together, and adds their reactions to the solution. Each law is
/// enforced on the displacement, rate or acceleration of its direction, according to the kind of DoFs.
/// Reactions of sliding tangents are proportional to their normal reaction.
/// @param b the quantities of all directions without these reactions
LawsAtTime ContactTransition::solve_laws(const TransitionState& now, const std::vector<Index>& directions,
                                         const Vector& b, const Vector& uncertainty,
                                         LawSolution& solution) const {
  if (directions.empty()) return {};
  static const auto normal_law = std::make_shared<const UnilateralContact>();
  const auto n = static_cast<Index>(directions.size());
  std::vector<NamedLaw> laws;
  std::vector<DoFKind> kinds;
  std::vector<ContactState> before;
  MultiVector r_of = MultiVector::Zero(condensed_.n_directions(), n), W(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index j = directions[at(i)];
    const auto& direction = condensed_.direction(j);
    kinds.push_back(direction.kind);
    r_of(j, i) = 1;
    if (is_sliding_normal(now, j))
      r_of.col(i).segment(j + 1, direction.law->dimension() - 1) = sliding_reaction(now, j);
    if (direction.is_tangent()) continue;
    laws.push_back({is_sliding_normal(now, j) ? normal_law : direction.law_at_instant, direction.name});
    before.push_back(now.states[at(j)]);
  }
  for (Index i = 0; i < n; ++i) {
    const Index j = directions[at(i)];
    W.row(i) = condensed_.W_of(condensed_.direction(j).kind).row(j) * r_of;
    if (is_sliding_normal(now, j)) check_no_painleve_state(now.time, j, W(i, i));
  }
  InstantaneousLawProblem problem(laws, kinds, W);
  LawsAtTime at_time = problem.problem().laws_at(now.time, before);
  const Vector b_here = b(directions);
  Vector r = Vector::Zero(n), x = r;
  problem.solve(at_time, b_here, r, x, uncertainty(directions));
  const std::vector<ContactState> found = problem.states(at_time, b_here, r, x);
  solution.r += r_of * r;
  std::size_t law = 0;
  for (Index i = 0; i < n; ++i) {
    const Index j = directions[at(i)];
    const auto& direction = condensed_.direction(j);
    solution.w[j] = x[i];
    if (direction.is_tangent()) continue;
    set_states(j, is_sliding_normal(now, j), found[law++], solution.states);
  }
  return at_time;
}

/// Returns the errors that steps and rounding cause in the displacement, rate or acceleration of each
/// direction.
Vector ContactTransition::uncertainty(const TransitionState& now,
                                      const CondensedInclusions::LoadTerms& load_terms,
                                      const SupportDerivatives& p) const {
  const Vector y = now.y.cwiseAbs();
  Vector size(condensed_.n_directions());
  for (Index j = 0; j < size.size(); ++j) {
    const DoFKind kind = condensed_.direction(j).kind;
    const Vector& motion = kind == DoFKind::algebraic ? p.value
                           : kind == DoFKind::viscous ? p.rate
                                                      : p.second;
    size[j] = condensed_.S(kind).row(j).cwiseAbs().dot(y) +
              std::abs(CondensedInclusions::load_terms_of(load_terms, kind)[j]) + std::abs(motion[j]);
    if (kind == DoFKind::algebraic) size[j] += std::abs(now.targets[j]);
  }
  return errors_of_steps * size;
}

/// Returns whether a direction is the normal of Coulomb friction that slips.
bool ContactTransition::is_sliding_normal(const TransitionState& now, Index j) const {
  return condensed_.direction(j).is_normal() && !now.rests[at(j + 1)];
}

/// Returns the reactions of sliding tangents for a unit normal reaction.
Vector ContactTransition::sliding_reaction(const TransitionState& now, Index normal) const {
  const Vector w = now.w.segment(normal + 1, condensed_.direction(normal).law->dimension() - 1);
  return -condensed_.friction_coefficient(normal, now.time) / w.norm() * w;
}

/// Checks that a sliding contact is not in a Painleve state.
/// @param W normal acceleration of the contact by a unit normal reaction together with the friction that it
/// causes
/// @throws PainleveState
void ContactTransition::check_no_painleve_state(double time, Index normal, double W) const {
  if (W > negligible_acceleration * condensed_.W.I(normal, normal)) return;
  throw PainleveState(condensed_.direction(normal).name, time);
}

/// Sets the contact states of the first direction of an inclusion and of its tangents.
void ContactTransition::set_states(Index j, bool slides, ContactState found,
                                   std::vector<ContactState>& states) const {
  const auto& direction = condensed_.direction(j);
  states[at(j)] = found;
  if (!direction.is_normal()) return;
  ContactState of_tangents = found;
  if (found != ContactState::open) {
    states[at(j)] = ContactState::closed;
    of_tangents = slides || found != ContactState::stick ? ContactState::slip : ContactState::stick;
  }
  for (Index k = 1; k < direction.law->dimension(); ++k)
    states[at(j + k)] = of_tangents;
}

/// Determines which plays slip. The motion of a play after the event is compared with the terms of this
/// motion, which may be much larger in a long chain.
/// @param directions the directions that algebraic DoFs decide, to which the first laws belong
void ContactTransition::decide_plays(const std::vector<Index>& directions, const LawsAtTime& laws,
                                     const LawSolution& here, LawSolution& ahead) const {
  const MultiVector W = condensed_.W.K(directions, Eigen::all).cwiseAbs();
  const Vector change = (ahead.s - here.s)(directions).cwiseAbs() + W * (ahead.r - here.r).cwiseAbs();
  const Vector size = ahead.s(directions).cwiseAbs() + W * ahead.r.cwiseAbs();
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Index j = directions[i], k = static_cast<Index>(i);
    const auto& direction = condensed_.direction(j);
    if (!direction.is_contact)
      ahead.states[at(j)] =
          direction.law->state(laws.parameters[i], ahead.w.segment(j, 1), ahead.r.segment(j, 1),
                               least_slip_of_play * change[k] + rounding_of_displacements * size[k]);
  }
}

void ContactTransition::recover_immobile_reactions(double time, const Vector& w, const Vector& g, Vector& r,
                                                   std::vector<ContactState>& states) const {
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const auto& direction = condensed_.direction(j);
    if (direction.kind != DoFKind::constrained) continue;
    if (direction.is_contact) {
      check_gap_of_immobile_contact(direction.name, g[j],
                                    closing_tolerance * condensed_.prescribed_size(time)[j], time);
      states[at(j)] = ContactState::open;
      r[j] = 0;
      continue;
    }
    LawParameters parameters = direction.law->parameters(time, states[at(j)]);
    const Vector w_here = w.segment(j, 1), wish = r.segment(j, 1);
    r.segment(j, 1) = consistent_reaction(*direction.law, parameters, w_here, wish);
    states[at(j)] = direction.law->state(parameters, w_here, r.segment(j, 1), 0.);
  }
}

auto ContactTransition::solve_all_laws(const TransitionState& now) const -> LawSolution {
  StateForceIteration iteration(condensed_, Vector::Constant(1, now.time), now.y, now.guess);
  LawSolution solution;
  do
    solution = solve_all_laws_with_loads(iteration.load_terms().front(), now);
  while (iteration.must_repeat(now.y, solution.r));
  return solution;
}

auto ContactTransition::solve_all_laws_with_loads(const CondensedInclusions::LoadTerms& load_terms,
                                                  const TransitionState& now) const -> LawSolution {
  const Index m = condensed_.n_directions();
  const SupportDerivatives p = motion_.support_at(now.time);
  LawSolution solution{Vector::Zero(m), now.w, now.states, condensed_.S_K * now.y + load_terms.s + p.value,
                       load_terms};
  std::vector<Index> algebraic, viscous, inertial;
  for (Index j = 0; j < m; ++j) {
    const auto& direction = condensed_.direction(j);
    if (direction.kind == DoFKind::algebraic) algebraic.push_back(j);
    if (direction.kind == DoFKind::constrained || direction.kind == DoFKind::algebraic ||
        direction.is_tangent())
      continue;
    if (direction.is_contact && !now.touches[at(j)]) {
      set_states(j, false, ContactState::open, solution.states);
      continue;
    }
    if (direction.kind == DoFKind::viscous) {
      viscous.push_back(j);
    } else if (now.rests[at(j)]) {
      inertial.push_back(j);
      for (Index k = 1; k < direction.law->dimension() && !is_sliding_normal(now, j); ++k)
        inertial.push_back(j + k);
    } else if (direction.is_contact)
      set_states(j, false, ContactState::open, solution.states);
    else
      solution.states[at(j)] = now.w[j] > 0 ? ContactState::slip_forward : ContactState::slip_back;
  }

  const Vector w = condensed_.S_C * now.y + load_terms.w + p.rate;
  recover_immobile_reactions(now.time, w, solution.s, solution.r, solution.states);
  for (Index j = 0; j < m; ++j)
    if (const auto& direction = condensed_.direction(j); direction.kind == DoFKind::inertial &&
                                                         !direction.is_contact && !direction.is_tangent() &&
                                                         !now.rests[at(j)])
      solution.r[j] = condensed_.sliding_reaction(j, now.time, solution.states[at(j)], now.w[j]).r;

  // All other laws are solved together, because reactions on DoFs of each kind may immediately move DoFs of
  // the other kinds.
  std::vector<Index> directions = algebraic;
  directions.insert(directions.end(), viscous.begin(), viscous.end());
  directions.insert(directions.end(), inertial.begin(), inertial.end());
  Vector b = Vector::Zero(m);
  b(algebraic) = (solution.s - now.targets + condensed_.W.K * solution.r)(algebraic);
  b(viscous) = (w + condensed_.W.C * solution.r)(viscous);
  b(inertial) = accelerations(now.y, load_terms, solution.r, p)(inertial);
  const LawsAtTime laws = solve_laws(now, directions, b, uncertainty(now, load_terms, p), solution);
  if (now.here) decide_plays(algebraic, laws, *now.here, solution);
  return solution;
}

/// Returns whether each contact touches its obstacle. The tolerance of gaps also depends on rates and forces,
/// because displacements may be only rounding errors if several gaps close at one instant. A closed contact
/// with mass or damping opens if its obstacle jumps away.
std::vector<bool> ContactTransition::touching_contacts(const BeforeTransition& before,
                                                       const CondensedInclusions::LoadTerms& load_terms,
                                                       const SupportDerivatives& p) const {
  const Vector length = condensed_.S_K.cwiseAbs() * before.y.cwiseAbs() + p.value.cwiseAbs(),
               reach = motion_.time_scale() *
                       motion_.rate_scale(before.time, before.y, load_terms, before.r, p.rate);
  const Vector g = condensed_.S_K * before.y + p.value;  // The gaps after a jump of the obstacles.
  std::vector<bool> touches;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const auto& direction = condensed_.direction(j);
    const bool was_closed = before.states[at(j)] == ContactState::closed || before.triggered == j,
               may_be_left = before.is_abrupt() &&
                             (direction.kind == DoFKind::inertial || direction.kind == DoFKind::viscous) &&
                             (direction.is_driven || !direction.law->support(0).is_constant());
    if (direction.is_tangent())
      touches.push_back(touches[at(condensed_.normal_of(j))]);
    else if (!direction.is_contact)
      touches.push_back(false);
    else if (was_closed)
      touches.push_back(!may_be_left ||
                        g[j] <= touching_if_closed * length[j] + touching_by_motion * reach[j]);
    else
      touches.push_back(before.g[j] <= touching * length[j] + touching_by_motion * reach[j]);
  }
  return touches;
}

/// Returns the gaps of plays, corrected for the gaps of touching contacts on algebraic DoFs. These should be
/// zero, but steps and the iteration for a state force compute gaps only up to their tolerances. Without the
/// correction a play that such a contact holds would not be at rest.
Vector ContactTransition::gaps_of_plays(const Vector& g, const std::vector<bool>& touches) const {
  std::vector<Index> touching;
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (condensed_.direction(j).kind == DoFKind::algebraic && condensed_.direction(j).is_contact &&
        touches[at(j)])
      touching.push_back(j);
  if (touching.empty()) return g;
  return g - motion_.displacements_with(touching, g(touching));
}

/// Computes the impacts, whose results are written to `after`, and determines which contacts touch and which
/// directions are at rest after the impacts.
auto ContactTransition::state_after_impacts(const BeforeTransition& before, const SupportDerivatives& p,
                                            AfterTransition& after) const -> TransitionState {
  const Index m = condensed_.n_directions();
  const CondensedInclusions::LoadTerms load_terms = condensed_.load_terms(before.time, before.y, before.r);
  TransitionState now{
      before.time, {}, before.states, Vector::Zero(m), touching_contacts(before, load_terms, p),
      {},          {}, before.guess};
  const Vector w_before = condensed_.S_C * before.y + p.rate;
  const bool jumped = impact(before, load_terms, p, now.touches, after);
  now.y = after.y;
  now.w = condensed_.S_C * now.y + p.rate;
  const Vector w_after = now.w;

  const Vector rest = rate_tolerances(before, now.y.cwiseAbs().cwiseMax(before.y.cwiseAbs()), load_terms, p),
               places = gaps_of_plays(before.g, now.touches);
  for (Index j = 0; j < m; ++j) {
    const auto& direction = condensed_.direction(j);
    if (direction.kind == DoFKind::inertial) after.w_before[j] = w_before[j];
    // The tangents of one contact are either all at rest or all slip.
    const Index first = direction.is_tangent() ? condensed_.normal_of(j) + 1 : j,
                n = direction.is_tangent() ? direction.law->dimension() - 1 : 1;
    const auto size = [&](const Vector& all) { return all.segment(first, n).norm(); };
    const bool was_held = SmoothMotion::is_held(before.states[at(j)]);
    const bool changed = before.is_abrupt() || (jumped && size(now.w - w_before) > size(rest));
    const bool was_triggered = before.triggered && *before.triggered >= first &&
                               *before.triggered < first + n && !direction.is_contact;
    const double speed = direction.is_contact ? w_after[j] : size(w_after);
    const bool turns =
        direction.is_tangent() && was_triggered && !was_held && speed > speed_of_slip * size(rest);
    const bool is_open = direction.is_contact && !now.touches[at(j)];
    now.rests.push_back(!is_open &&
                        (((was_held || (was_triggered && !turns)) && !changed) || speed <= size(rest)));
    // Plays move from their present gaps, and contacts on algebraic DoFs from the gap zero.
    if (!direction.is_contact) now.targets[j] = places[j];
    if (now.rests.back() && direction.kind == DoFKind::inertial) now.w[j] = 0;
  }
  return now;
}

/// Solves all laws a short time after the instant, with the motion that follows from the solution at the
/// instant.
/// @param here the solution at the instant @param g gaps at the instant
auto ContactTransition::look_ahead(const BeforeTransition& before, const LookAhead& look,
                                   const TransitionState& now, const LawSolution& here, const Vector& g) const
    -> LawSolution {
  const auto y_rate = [&](const TransitionState& then, const LawSolution& solution) {
    return Vector(condensed_.A * then.y + solution.load_terms.y_rate + condensed_.B_H * solution.r);
  };
  const Vector rate_here = y_rate(now, here);
  TransitionState ahead = now;
  ahead.guess = here.r;
  ahead.here = &here;
  ahead.time += look.time;
  ahead.y += look.time * rate_here;
  ahead.states = here.states;
  std::vector<bool> is_closed;
  for (const ContactState state : here.states)
    is_closed.push_back(state == ContactState::closed);
  const Vector places = gaps_of_plays(g, is_closed);
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    if (!condensed_.direction(j).is_contact) ahead.targets[j] = places[j];
    // Friction that sticks before the instant keeps its static threshold.
    if (before.states[at(j)] == ContactState::stick && now.rests[at(j)])
      ahead.states[at(j)] = ContactState::stick;
  }
  // The motion is computed at least to second order, because a play that reverses at this instant is
  // recognized by the change of its rate.
  for (Index sweep = 0; sweep < look.n_sweeps; ++sweep) {
    const Vector rate_ahead = y_rate(ahead, solve_all_laws(ahead));
    ahead.y = now.y + 0.5 * look.time * (rate_here + rate_ahead);
  }
  return solve_all_laws(ahead);
}

/// Returns the energy that friction dissipates at the instant, in plays that slip because a load jumps, and
/// in friction whose support jumps. @param slip slip of each direction in the jump
Vector ContactTransition::dissipated_by_jumps(const BeforeTransition& before, const Vector& slip,
                                              const Vector& r) const {
  Vector dissipated = Vector::Zero(slip.size());
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const auto& direction = condensed_.direction(j);
    if (direction.is_contact || direction.is_tangent() || slip[j] == 0) continue;
    const double in_slip = direction.kind == DoFKind::algebraic
                               ? reaction_in_jump(before.r[j], r[j])
                               : reaction_in_jump_of_support(*direction.law, before.time, slip[j]);
    dissipated[j] = direction.law->dissipated_power(slip.segment(j, 1), LocalVector::Constant(1, in_slip));
  }
  return dissipated;
}

/// Returns whether a held inclusion may open or slip a short time after the instant, which is possible only
/// if the reaction at the instant itself is at its bound. @param to the contact state at the later time
bool ContactTransition::may_open_or_slip(Index j, const TransitionState& now, const LawSolution& here,
                                         const Vector& uncertainty, ContactState to) const {
  constexpr double error_of_reactions = 1e-9;  // Errors of reactions by steps, relative to their terms.
  const auto& direction = condensed_.direction(j);
  const bool is_one = direction.law->dimension() == 1 && direction.kind != DoFKind::constrained;
  if (!is_one || !SmoothMotion::is_held(here.states[at(j)])) return true;
  const MultiVector& W = condensed_.W_of(direction.kind);
  const double terms = W.row(j).cwiseAbs().dot(here.r.cwiseAbs());
  const double margin = W(j, j) > 0 ? (error_of_reactions * terms + uncertainty[j]) / W(j, j) : 0.;
  if (direction.is_contact) return here.r[j] <= margin;
  const Interval bounds = condensed_.reaction_interval(j, now.time, ContactState::stick);
  return to == ContactState::slip_forward ? here.r[j] <= bounds.lower + margin
                                          : here.r[j] >= bounds.upper - margin;
}

AfterTransition ContactTransition::operator()(const BeforeTransition& before) const {
  const Index m = condensed_.n_directions();
  const SupportDerivatives p = motion_.support_at(before.time);
  AfterTransition after{before.w, before.y,      before.r,        before.w,
                        before.g, before.states, Vector::Zero(m), Vector::Zero(m)};
  const TransitionState now = state_after_impacts(before, p, after);

  // The reactions at the instant itself determine the motion just after the instant.
  const LawSolution here = solve_all_laws(now);
  after.g = condensed_.S_K * now.y + here.load_terms.s + p.value + condensed_.W.K * here.r;
  after.dissipated += dissipated_by_jumps(before, after.g - before.g, here.r);
  const Vector allowed = uncertainty(now, here.load_terms, p);
  LookAhead ahead = before.ahead;
  LawSolution then = shortened_look_ahead(before, now, here, after.g, allowed, ahead);
  // Reactions of dependent directions are not determined individually and are therefore not compared with
  // bounds.
  const bool are_determined = !motion_.are_dependent(here.states);
  for (Index j = 0; are_determined && j < m; ++j)
    if (before.triggered != j && !SmoothMotion::is_held(then.states[at(j)]) &&
        !may_open_or_slip(j, now, here, allowed, then.states[at(j)]))
      then.states[at(j)] = here.states[at(j)];
  motion_.share_within_bounds({then.states, after.g, then.r}, before.time + ahead.time, then.r);
  after.states = then.states;
  release_redundant(before.time + ahead.time, then.r, after.states);

  const SmoothMotion::Mode mode{after.states, after.g, then.r};
  // Tangents that have come to rest have no speed, whether they stick or begin to slip in another direction.
  SmoothMotion::Mode at_rest = mode;
  for (Index j = 0; j < m; ++j)
    if (condensed_.direction(j).is_tangent() && now.rests[at(j)] &&
        at_rest.states[at(j)] == ContactState::slip)
      at_rest.states[at(j)] = ContactState::stick;
  after.y = motion_.projected_on_constraints(at_rest, after.y, p.rate);
  after.r = motion_.reactions(mode, before.time, after.y, p, here.r);
  for (Index j = 0; j < m; ++j) {
    const auto& direction = condensed_.direction(j);
    if (direction.kind == DoFKind::constrained) after.r[j] = here.r[j];
    const bool stays = direction.is_contact || SmoothMotion::is_held(after.states[at(j)]);
    after.w[j] = direction.kind == DoFKind::algebraic ? (stays ? 0. : then.w[j] / ahead.time)
                 : direction.kind == DoFKind::viscous && (!direction.is_contact || now.touches[at(j)])
                     ? here.w[j]
                     : now.w[j];
  }
  return after;
}

}  // namespace halfdof::internal
