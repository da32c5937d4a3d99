// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/contact_transition.h>

#include <cmath>

/**
 * @file
 * Contact transitions of inclusions whose held directions depend on each other, so that several friction
 * elements share a load.
 */
namespace halfdof::internal {

namespace {

/// The ratio of each look-ahead time to the one before, and the smallest ratios of a look-ahead time to the
/// first look-ahead time and to the time itself. With shorter times the loads would change only by rounding.
constexpr double look_ahead_reduction = 1e-2, smallest_look_ahead_ratio = 1e-7, smallest_look_ahead = 1e-12;

}  // namespace

/// Returns whether the threshold of friction becomes smaller when the friction begins to slip in a direction.
/// @param slips slip_forward or slip_back
bool ContactTransition::threshold_drops(Index j, double time, ContactState slips) const {
  const auto& direction = condensed_.direction(j);
  if (direction.is_contact || direction.is_tangent()) return false;
  const Interval at_rest = condensed_.reaction_interval(j, time, ContactState::stick);
  const double bound = slips == ContactState::slip_forward ? at_rest.lower : at_rest.upper;
  return std::abs(condensed_.sliding_reaction(j, time, slips, 0.).r) < std::abs(bound);
}

/// Returns the mode in which friction elements that share a load continue to stick, or nothing if these
/// elements have to slip. They have to slip if they cannot hold the load together. If their bounds just
/// suffice for the load, they have to slip if the threshold of one of them becomes smaller when it slips, or
/// if the event is that an element with a uniquely determined reaction reaches its bound.
auto ContactTransition::mode_with_shared_friction(const BeforeTransition& before, const TransitionState& now,
                                                  const LawSolution& here, const Vector& g) const
    -> std::optional<SmoothMotion::Mode> {
  SmoothMotion::Mode mode{here.states, g, here.r};
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    // If all DoFs are at rest at the instant, slipping plays have the contact state `stick` in the solution.
    const auto& direction = condensed_.direction(j);
    const bool is_play =
        direction.kind == DoFKind::algebraic && !direction.is_contact && !direction.is_tangent();
    if (is_play && !SmoothMotion::is_held(before.states[at(j)])) mode.states[at(j)] = before.states[at(j)];
  }
  bool shares = false, drops_any = false;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    if (condensed_.direction(j).is_contact || !motion_.is_shared(mode.states, j)) continue;
    shares = true;
    for (const ContactState slips : {ContactState::slip_forward, ContactState::slip_back})
      drops_any = drops_any || threshold_drops(j, now.time, slips);
  }
  if (!shares) return std::nullopt;
  mode.reactions = motion_.reactions(mode, now.time, now.y, motion_.support_at(now.time), here.r);
  const std::optional<double> margin = motion_.share_within_bounds(mode, now.time, mode.reactions);
  const bool was_determined = before.triggered && !condensed_.direction(*before.triggered).is_contact &&
                              !motion_.is_shared(before.states, *before.triggered);
  if (!margin || (*margin == 0 && (was_determined || drops_any))) return std::nullopt;
  return mode;
}

/// Returns whether friction that shares a load slips in the solution a short time later, although the
/// dependent directions have compatible motions. Supports that move apart are then not the cause of the slip.
bool ContactTransition::shared_friction_slips(const SmoothMotion::Mode& shared, const Vector& uncertainty,
                                              const LawSolution& ahead) const {
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (!condensed_.direction(j).is_contact && motion_.is_shared(shared.states, j) &&
        !SmoothMotion::is_held(ahead.states[at(j)]))
      return motion_.are_compatible(shared.states, ahead.w, uncertainty);
  return false;
}

/// Returns whether all directions that share no load keep their contact states in the solution a short time
/// later.
bool ContactTransition::others_keep_states(const SmoothMotion::Mode& shared, const LawSolution& ahead) const {
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (!motion_.is_shared(shared.states, j) && ahead.states[at(j)] != shared.states[at(j)]) return false;
  return true;
}

/// Returns the solution of all laws a short time after the instant. The time is shortened until friction
/// elements that share a load continue to hold the load. At a later time they may exceed bounds that they
/// have not reached at the instant. @param look on entry the first time, on return the time that was used
auto ContactTransition::shortened_look_ahead(const BeforeTransition& before, const TransitionState& now,
                                             const LawSolution& here, const Vector& g,
                                             const Vector& uncertainty, LookAhead& look) const
    -> LawSolution {
  LawSolution ahead = look_ahead(before, look, now, here, g);
  const std::optional<SmoothMotion::Mode> shared = mode_with_shared_friction(before, now, here, g);
  if (!shared || !shared_friction_slips(*shared, uncertainty, ahead)) return ahead;
  const double shortest = smallest_look_ahead * std::abs(now.time);
  for (LookAhead nearer = look; nearer.time > smallest_look_ahead_ratio * look.time &&
                                nearer.time * look_ahead_reduction > shortest;) {
    nearer.time *= look_ahead_reduction;
    LawSolution near = look_ahead(before, nearer, now, here, g);
    if (shared_friction_slips(*shared, uncertainty, near) || !others_keep_states(*shared, near)) continue;
    look = nearer;
    return near;
  }
  if (!others_keep_states(*shared, ahead)) return ahead;
  // Friction is so near to its bounds that it slips even after the shortest time. release_redundant() lets
  // friction at its bound slip, and the other directions are held until their own event.
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const bool opens = condensed_.direction(j).is_contact && shared->reactions[j] == 0;
    if (opens || !motion_.is_shared(shared->states, j)) continue;
    ahead.states[at(j)] = shared->states[at(j)];
    ahead.r[j] = shared->reactions[j];
  }
  return ahead;
}

/// Opens closed contacts without a reaction, and lets friction at its bound slip, if other held directions
/// determine the motion of these inclusions. The reactions of the other directions are then determined
/// uniquely.
void ContactTransition::release_redundant(double time, const Vector& r,
                                          std::vector<ContactState>& states) const {
  if (!motion_.are_dependent(states)) return;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    if (condensed_.direction(j).law->dimension() > 1) continue;
    ContactState& state = states[at(j)];
    const ContactState held = state;
    if (held == ContactState::closed && r[j] == 0) state = ContactState::open;
    if (held == ContactState::stick) {
      const Interval bounds = condensed_.reaction_interval(j, time, held);
      if (r[j] <= bounds.lower) state = ContactState::slip_forward;
      if (r[j] >= bounds.upper) state = ContactState::slip_back;
    }
    const bool gives_less = held == ContactState::stick && state != held && threshold_drops(j, time, state);
    if (state != held && !motion_.follows_held(gives_less ? without_friction(states) : states, j))
      state = held;
  }
}

/// Returns the contact states with all sticking friction set to slip. Friction whose threshold becomes
/// smaller when it slips may be released only if contacts alone hold its direction, because other friction at
/// its bound cannot carry the difference of the reactions.
std::vector<ContactState> ContactTransition::without_friction(std::vector<ContactState> states) const {
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    if (!condensed_.direction(j).is_contact && states[at(j)] == ContactState::stick)
      states[at(j)] = ContactState::slip_forward;
  return states;
}

}  // namespace halfdof::internal
