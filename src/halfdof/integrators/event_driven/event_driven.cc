// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/event_driven/event_driven_run.h>
#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

constexpr double first_look_ahead = 1e-6;  ///< LookAhead::time at an event, relative to the time scale.
constexpr double least_progress =
    1e-8;  ///< Shortest step that counts as progress, relative to the time scale.
constexpr int max_without_progress = 200;  ///< Allowed number of events and smallest steps without progress.
constexpr int max_tangent_updates = 20;    ///< Largest number of updates of the tangents at one event.
/// The number of events without progress as which a step of the smallest length counts if it was not solved.
constexpr double events_per_unsolved_step = 20;
/// Largest relative tolerance with which integrals of the dense output count as exact.
constexpr double tolerance_of_integrals = 1e-10;

/// Checks the options, and returns them with sorted breakpoints. @throws InvalidInput if an option is out of
/// range
EventDrivenOptions checked(EventDrivenOptions options) {
  const auto refuse = [](const std::string& what, double value, const std::string& range) {
    throw InvalidInput("The " + what + " of the event-driven integrator is " + number_text(value) +
                       ". Give " + range + ".");
  };
  if (!(options.relative_tolerance >= 1e-13 && options.relative_tolerance < 1))
    refuse("relative tolerance", options.relative_tolerance, "a tolerance between 1e-13 and 1");
  if (!(options.absolute_tolerance >= 0))
    refuse("absolute tolerance", options.absolute_tolerance, "a tolerance that is not negative");
  if (!(options.largest_step > 0)) refuse("largest step", options.largest_step, "a positive step length");
  if (!(options.shortest_flight >= 0) || !std::isfinite(options.shortest_flight))
    refuse("shortest flight", options.shortest_flight, "a finite time that is not negative");
  if (!(options.run_length >= 0) || !std::isfinite(options.run_length))
    refuse("length of the run", options.run_length, "a finite time that is not negative");
  for (const double time : options.breakpoints)
    if (!std::isfinite(time)) refuse("breakpoint", time, "a finite time");
  std::sort(options.breakpoints.begin(), options.breakpoints.end());
  return options;
}

}  // namespace

template <class Engine>
EventDriven<Engine>::EventDriven(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                 const EventDrivenOptions& options)
    : NonsmoothIntegrator<Engine>(inclusions, outcome),
      implementation_(std::make_unique<Implementation>(*this, checked(options))) {}

template <class Engine>
EventDriven<Engine>::~EventDriven() = default;

template <class Engine>
int EventDriven<Engine>::dense_output_degree() const {
  const auto& last = implementation_->last_;
  return last && last->contains_jump ? 0 : RadauNodes::n_stages;
}

template <class Engine>
double EventDriven<Engine>::shortest_flight() const {
  return implementation_->transition_.shortest_flight();
}

template <class Engine>
ImpactLaw EventDriven<Engine>::impact_law() const {
  return implementation_->options_.impact_law;
}

template <class Engine>
std::vector<Check> EventDriven<Engine>::kept_exactly() const {
  std::vector<Check> kept = {Check::gap,   Check::penetration,     Check::reaction,
                             Check::law,   Check::complementarity, Check::variational,
                             Check::impact};
  // Integrals are computed from the dense output, so that their error is the error of the steps.
  if (implementation_->options_.relative_tolerance <= tolerance_of_integrals)
    kept.insert(kept.end(),
                {Check::balance, Check::impulse, Check::kinematics, Check::dissipated, Check::energy});
  return kept;
}

template <class Engine>
void EventDriven<Engine>::rebuild(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) {
  CondensedInclusions condensed = implementation_->condensed(inclusions, outcome);
  ContactTransition::check(condensed);
  implementation_->motion_.set_tangents(std::move(condensed));
}

template <class Engine>
void EventDriven<Engine>::Implementation::add_integrals(const SmoothStep& step, double tau,
                                                        NonsmoothState& to) const {
  const RadauNodes& radau = RadauNodes::get();
  for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
    const Vector basis = radau.basis(tau * radau.nodes()[i]);
    const double weight = tau * step.length * radau.quadrature()[i];
    const Vector r = step.r * basis, w = step.w * basis;
    to.impulse += weight * r;
    for (Index j = 0; j < static_cast<Index>(r.size()); ++j)
      if (const auto& direction = motion_.condensed().direction(j); !direction.is_contact)
        to.dissipate(direction.inclusion,
                     weight * (direction.is_tangent()
                                   ? -w[j] * r[j]
                                   : direction.law->dissipated_power(w.segment(j, 1), r.segment(j, 1))));
  }
}

template <class Engine>
void EventDriven<Engine>::Implementation::append_events(double time, const std::vector<ContactState>& before,
                                                        const std::vector<ContactState>& states,
                                                        const AfterTransition& after,
                                                        std::vector<ContactEvent>& events) const {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Index j = owner_.inclusions().first_direction(i),
                d = owner_.inclusions().acting()[i].law->dimension();
    if (states[i] == before[i] && after.impulses.segment(j, d).isZero(0)) continue;
    events.push_back({time, time, i, after.w_before.segment(j, d), after.w.segment(j, d),
                      after.impulses.segment(j, d), before[i], states[i]});
  }
}

template <class Engine>
AfterTransition EventDriven<Engine>::Implementation::transition(BeforeTransition before) {
  if (!owner_.reduced().depends_on_state()) return transition_(before);
  owner_.relinearize_at({before.time, before.y}, before.r);
  for (int n = 0; n < max_tangent_updates; ++n)
    try {
      return transition_(before);
    } catch (const SlowTangents& slow) {
      // The tangent mass remains that of the state at this instant.
      const Vector y = slow.time() > before.time ? before.y : slow.y();
      owner_.relinearize_at({before.time, y}, slow.r());
      before.guess = slow.r();
    }
  return transition_(before);
}

/// Computes the impacts at an instant and the contact states of all inclusions after the impacts, and applies
/// the results to the state.
template <class Engine>
void EventDriven<Engine>::Implementation::apply_transition(NonsmoothState& state,
                                                           std::optional<Index> triggered, LookAhead ahead,
                                                           std::vector<ContactEvent>& events) {
  const CondensedInclusions& condensed = motion_.condensed();
  // The time of the look ahead is at most half of the smooth interval, because other contact states may
  // follow after a kink, and rounding makes a time near the kink fall on either side. Kinks within the
  // smallest step are ignored.
  if (const double smooth = smooth_interval(state.time, state.time + ahead.time).end - state.time;
      smooth > smallest_step_at(state.time))
    ahead.time = std::min(ahead.time, 0.5 * smooth);
  BeforeTransition before{state.time, state.y, state.r,
                          state.w,    state.g, condensed.states_of_directions(state.contacts),
                          triggered,  ahead,   state.r};
  AfterTransition after = [&] {
    while (true)
      try {
        return transition(before);
      } catch (const UndefinedFunction&) {
        // A function of time may have no value at the later time.
        before.ahead.time *= 0.1;
        if (before.ahead.time < smallest_step_at(state.time)) throw;
      }
  }();
  const std::vector<ContactState> states = motion_.condensed().states_of_inclusions(after.states, after.r);
  append_events(state.time, state.contacts, states, after, events);
  state.y = std::move(after.y);
  state.r = std::move(after.r);
  state.w = std::move(after.w);
  state.g = std::move(after.g);
  state.contacts = states;
  state.impulse += after.impulses;
  for (Index j = 0; j < condensed.n_directions(); ++j)
    state.dissipate(condensed.direction(j).inclusion, after.dissipated[j]);
}

template <class Engine>
void EventDriven<Engine>::Implementation::advance_over(const Piece& piece, NonsmoothState& to) {
  const SmoothStep& step = piece.step;
  const double tau = piece.tau();
  const Vector basis = RadauNodes::get().basis(tau);
  const double end = piece.event ? to.time + tau * step.length : piece.end;
  last_ = LastStep{step, to.contacts, end, to.impulse, to.dissipated, to.dissipated_by, piece.contains_jump};
  add_integrals(step, tau, to);
  to.y = step.y * basis;
  to.r = step.r * basis;
  to.w = step.w * basis;
  to.g = step.g * basis;
  to.time = last_->end;
}

template <class Engine>
void EventDriven<Engine>::Implementation::fail(const Piece& piece, double time) const {
  if (piece.failure) std::rethrow_exception(piece.failure);
  const std::string begin = "The event-driven integrator makes no progress at " + seconds(time) + ": " +
                            std::to_string(max_without_progress);
  if (piece.event)
    throw NoConvergence(begin +
                            " events follow each other in steps too short to advance the time; the last "
                            "event is that of \"" +
                            motion_.condensed().direction(piece.event->direction).name +
                            "\". Give a larger shortest_flight if contacts bounce at this time, "
                            "or use Moreau-Jean.",
                        max_without_progress);
  throw NoConvergence(
      begin +
          " steps of the shortest length do not resolve the loads, thresholds and prescribed motions at this "
          "time. Give smoother functions if these functions are noisy, give a larger relative_tolerance, "
          "or use Moreau-Jean.",
      max_without_progress);
}

template <class Engine>
void EventDriven<Engine>::Implementation::determine_states_after(const Piece& piece, NonsmoothState& to,
                                                                 StepHistory& history,
                                                                 std::vector<ContactEvent>& events) {
  const double scale = motion_.time_scale();
  const bool has_moved_on = piece.tau() * piece.step.length >= least_progress * scale;
  const double n_without_progress =
      history.n_without_progress +
      (piece.event || piece.contains_jump ? (piece.failure ? events_per_unsolved_step : 1.) : 0.);
  if (!has_moved_on && n_without_progress > max_without_progress) fail(piece, to.time);
  if (piece.event || piece.ends_abruptly) {
    const auto triggered = piece.event ? std::optional<Index>(piece.event->direction) : std::nullopt;
    const double n_before = has_moved_on ? history.n_without_progress : n_without_progress;
    // A contact that a load moves only through a chain of k other states moves like t^(k+1) after a jump of
    // the load. Each iteration of LookAhead transfers the motion by one state of this chain.
    const LookAhead ahead{first_look_ahead * scale * std::pow(10., std::min(4., 0.5 * n_before)),
                          1 + std::min(static_cast<Index>(n_before), motion_.condensed().n_states())};
    const std::size_t n_events = events.size();
    apply_transition(to, triggered, ahead, events);
    // If no contact state changes at an event, the time of the look ahead was too short.
    const bool has_changed = !piece.event || events.size() > n_events;
    history.n_without_progress = has_moved_on && has_changed ? 0 : n_without_progress;
    return;
  }
  history.n_without_progress = has_moved_on ? 0 : n_without_progress;
  const std::vector<ContactState> before = to.contacts;
  std::vector<ContactState> states = motion_.condensed().states_of_directions(before);
  transition_.recover_immobile_reactions(to.time, to.w, to.g, to.r, states);
  to.contacts = motion_.condensed().states_of_inclusions(states, to.r);
  append_events(to.time, before, to.contacts, {to.w, {}, {}, to.w, {}, {}, Vector::Zero(to.w.size()), {}},
                events);
}

template <class Engine>
bool EventDriven<Engine>::Implementation::start_slip_on_prescribed_motion(
    const SmoothStep& step, NonsmoothState& state, std::vector<ContactEvent>& events) const {
  const std::vector<ContactState> before = state.contacts;
  for (Index j = 0; j < motion_.condensed().n_directions(); ++j) {
    const auto& direction = motion_.condensed().direction(j);
    const std::size_t i = direction.inclusion;
    const double w = step.w(j, RadauNodes::n_stages);
    if (direction.kind != DoFKind::constrained || before[i] != ContactState::stick ||
        std::abs(w) <= rounding_of_rate(motion_.condensed(), step, j))
      continue;
    state.contacts[i] = w > 0 ? ContactState::slip_forward : ContactState::slip_back;
    state.r[j] = motion_.condensed().sliding_reaction(j, state.time, state.contacts[i], w).r;
  }
  if (state.contacts == before) return false;
  append_events(state.time, before, state.contacts,
                {state.w, {}, {}, state.w, {}, {}, Vector::Zero(state.w.size()), {}}, events);
  return true;
}

template <class Engine>
NonsmoothState EventDriven<Engine>::Implementation::advance(const NonsmoothState& from, double limit,
                                                            std::vector<ContactEvent>& events) {
  const auto redetermine_states = [&](NonsmoothState& state) {
    apply_transition(state, std::nullopt, {first_look_ahead * motion_.time_scale(), 1}, events);
  };
  NonsmoothState to = from;
  const bool is_fresh = from.carried.size() != 4;
  if (!is_fresh) {
    motion_.set_run_scale(from.carried[2]);
    motion_.set_run_length(from.carried[3]);
  } else if (options_.run_length > 0) {
    set_run_scale(from.time, from.time + options_.run_length);
  } else if (std::isfinite(limit)) {
    set_run_scale(from.time, limit);
  }
  const double scale = motion_.time_scale();
  StepHistory history =
      is_fresh ? StepHistory{first_step * scale, 0} : StepHistory{from.carried[0], from.carried[1]};
  if (is_fresh) redetermine_states(to);

  bool has_determined_states = is_fresh;
  while (to.time == from.time) {
    // A repeated attempt has the length of the first attempt, because a shorter step might not show which
    // friction slips.
    StepHistory next = history;
    const Piece piece = next_piece(to, limit, next);
    if (piece.step.begins_with_kink && !has_determined_states) {
      has_determined_states = true;
      redetermine_states(to);
      continue;
    }
    if (start_slip_on_prescribed_motion(piece.step, to, events)) continue;
    history = next;
    advance_over(piece, to);
    determine_states_after(piece, to, history, events);
  }
  to.grid = {to.time, 0};
  to.carried = Eigen::Vector4d(history.proposed_length, history.n_without_progress, motion_.run_scale(),
                               motion_.run_length());
  return to;
}

template <class Engine>
std::optional<NonsmoothState> EventDriven<Engine>::Implementation::interpolate_step(
    const NonsmoothState& begin, const NonsmoothState& end, double theta) const {
  if (!last_ || last_->end != end.time || last_->step.begin != begin.time) return std::nullopt;
  const double tau = theta * (end.time - begin.time) / last_->step.length;
  NonsmoothState between = begin;
  const Vector basis = RadauNodes::get().basis(tau);
  between.impulse = last_->impulse;
  between.dissipated = last_->dissipated;
  between.dissipated_by = last_->dissipated_by;
  add_integrals(last_->step, tau, between);
  between.y = last_->step.y * basis;
  between.r = last_->step.r * basis;
  between.w = last_->step.w * basis;
  between.g = last_->step.g * basis;
  between.contacts = last_->states;
  between.carried.resize(0);
  return between;
}

template <class Engine>
NonsmoothState EventDriven<Engine>::advance(const NonsmoothState& from, double limit,
                                            std::vector<ContactEvent>& events) {
  return implementation_->advance(from, limit, events);
}

template <class Engine>
NonsmoothState EventDriven<Engine>::interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                                     double theta) const {
  std::optional<NonsmoothState> between = implementation_->interpolate_step(begin, end, theta);
  return between ? *std::move(between) : NonsmoothIntegrator<Engine>::interpolate_step(begin, end, theta);
}

template class EventDriven<InstantiatedEngine>;

}  // namespace halfdof
