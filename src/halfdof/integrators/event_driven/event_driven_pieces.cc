// SPDX-License-Identifier: LGPL-2.1-or-later
// The pieces of smooth motion of an event-driven run: how far they go, and the event at which each ends.
#include <halfdof/integrators/event_driven/event_driven_run.h>
#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

constexpr double smallest_step = 1e-10;  ///< Smallest step, relative to the time scale.
constexpr double longest_step = 100;     ///< Longest step, relative to the time scale.
constexpr double early = 0.2;        ///< Part of a step; earlier events are located again in a shorter step.
constexpr int first_intervals = 32;  ///< Intervals of functions of time that determine the time scale.
constexpr int tangents_of_step = 2;  ///< Largest number of updates of the tangents in one attempt.
constexpr double shortening_factor = 0.3;  ///< Factor by which a step that was not solved is shortened.

double new_length(double length, double error) {
  if (!(error > 0)) return error == 0 ? 10 * length : 0.1 * length;  // NaN too
  return length * std::clamp(0.8 * std::pow(error, -1. / RadauNodes::n_nodes), 0.1, 10.);
}

/// Makes all values of a step with a jump constant; the jump is at its end. Gaps keep their values until
/// then, and plays have the rate zero, because their work is that of the jump.
void hold(SmoothStep& step, const CondensedInclusions& condensed, const Vector& g) {
  for (Index j = 0; j < condensed.n_directions(); ++j)
    if (condensed.direction(j).kind == DoFKind::algebraic) step.w(j, 0) = 0;
  step.g.col(0) = g;
  for (MultiVector* values : {&step.r, &step.w, &step.g})
    values->colwise() = Vector(values->col(0));
}

}  // namespace

template <class Engine>
SmoothInterval EventDriven<Engine>::Implementation::smooth_interval(double begin, double end) const {
  const auto& breaks = options_.breakpoints;
  const auto next = std::upper_bound(breaks.begin(), breaks.end(), begin);
  SmoothInterval all{end, end};
  if (next != breaks.end() && *next <= end) all = {*next, *next, true};
  const double shortest = smallest_step_at(begin);
  const auto shorten_by = [&](const ScalarFunction& function) {
    all = SmoothInterval::shorter(all, function.smooth_interval(begin, all.end, shortest));
  };
  for (const Inclusion& inclusion : owner_.inclusions().acting())
    for (const ScalarFunction* function : inclusion.law->functions_of_time())
      shorten_by(*function);
  for (const ScalarFunction& function : options_.functions)
    shorten_by(function);
  return all;
}

template <class Engine>
void EventDriven<Engine>::Implementation::set_run_scale(double begin, double end) {
  motion_.set_run_length(end - begin);
  motion_.set_run_scale(end - begin);
  double longest = 0, time = begin;
  for (int i = 0; i < first_intervals && time < end; ++i) {
    const SmoothInterval smooth = smooth_interval(time, end);
    longest = std::max(longest, smooth.end - time);
    time = smooth.next;
  }
  if (longest > 0) motion_.set_run_scale(longest);
}

template <class Engine>
double EventDriven<Engine>::Implementation::smallest_step_at(double time) const {
  return std::max(smallest_step * motion_.time_scale(),
                  64 * std::numeric_limits<double>::epsilon() * std::abs(time));
}

template <class Engine>
auto EventDriven<Engine>::Implementation::attempt(const SmoothMotion::Mode& mode, const NonsmoothState& from,
                                                  double length, double end) -> Piece {
  const auto step = [&] { return motion_.attempt(mode, from.time, length, from.y, from.r); };
  if (!owner_.reduced().depends_on_state()) return {step(), end};
  try {
    for (int n = 0; n < tangents_of_step; ++n)
      try {
        return {step(), end};
      } catch (const SlowTangents& slow) {
        owner_.relinearize_at({slow.time(), slow.y()}, slow.r());
      }
    return {step(), end};
  } catch (const Error&) {
    Piece failed{{from.time, length, {}, {}, {}, {}, {}, {}, {}, {}}, end};
    failed.failure = std::current_exception();
    return failed;
  }
}

template <class Engine>
void EventDriven<Engine>::Implementation::keep_state_constant(const NonsmoothState& from,
                                                              Piece& piece) const {
  try {
    std::rethrow_exception(piece.failure);
  } catch (const NoConvergence&) {
    SmoothStep& step = piece.step;
    for (const auto& [values, here] :
         {std::pair{&step.y, &from.y}, {&step.r, &from.r}, {&step.w, &from.w}, {&step.g, &from.g}})
      *values = here->replicate(1, RadauNodes::n_nodes);
  }
}

template <class Engine>
auto EventDriven<Engine>::Implementation::accepted_piece(const SmoothMotion::Mode& mode,
                                                         const NonsmoothState& from, double end) -> Piece {
  const double smallest = smallest_step_at(from.time);
  Piece piece = attempt(mode, from, end - from.time, end);
  if (piece.is_accurate()) return piece;
  if (const auto kink = motion_.kink_between(from.time, end); kink && kink->before - from.time > smallest) {
    piece = attempt(mode, from, kink->before - from.time, kink->after);
    piece.ends_abruptly = true;
  }
  while (!piece.is_accurate() && piece.step.length > smallest) {
    const double length = piece.step.length,
                 shorter = piece.failure ? shortening_factor * length : new_length(length, piece.step.error);
    piece = attempt(mode, from, std::max(smallest, shorter), from.time + std::max(smallest, shorter));
  }
  piece.contains_jump = !piece.is_accurate();
  if (piece.failure) keep_state_constant(from, piece);
  if (piece.contains_jump) hold(piece.step, motion_.condensed(), from.g);
  piece.ends_abruptly = piece.ends_abruptly || piece.contains_jump;
  return piece;
}

template <class Engine>
auto EventDriven<Engine>::Implementation::piece_across_jump(const SmoothMotion::Mode& mode,
                                                            const NonsmoothState& from,
                                                            const SmoothInterval& interval) -> Piece {
  Piece piece = attempt(mode, from, interval.next - from.time, interval.next);
  if (piece.failure) keep_state_constant(from, piece);
  hold(piece.step, motion_.condensed(), from.g);
  piece.contains_jump = piece.ends_abruptly = true;
  return piece;
}

template <class Engine>
void EventDriven<Engine>::Implementation::locate_event(const SmoothMotion::Mode& mode,
                                                       const NonsmoothState& from, Piece& piece) {
  const double smallest = smallest_step_at(from.time);
  const auto is_rate_of_play = [&](Index direction) {
    const auto& data = motion_.condensed().direction(direction);
    return data.kind == DoFKind::algebraic && !data.is_contact &&
           !SmoothMotion::is_held(mode.states[static_cast<std::size_t>(direction)]);
  };
  // Times that differ by less than the smallest step are one instant up to rounding, such as a row of a table
  // and a kink. An event between them is found in the next step.
  if (piece.step.length < smallest) return;
  piece.event = first_event(motion_, mode, piece.step);
  while (piece.event && piece.event->tau < early && !is_rate_of_play(piece.event->direction) &&
         piece.step.length > smallest) {
    const double shorter = std::clamp(2 * piece.event->tau, 0.03, 0.5) * piece.step.length;
    const double length = std::max(smallest, shorter);
    Piece once_more = attempt(mode, from, length, from.time + length);
    if (once_more.failure) break;
    piece = std::move(once_more);
    piece.event = first_event(motion_, mode, piece.step);
  }
}

template <class Engine>
SmoothInterval EventDriven<Engine>::Implementation::next_interval(double begin, double limit,
                                                                  double proposed) const {
  double end = begin + std::min(proposed, options_.largest_step);
  if (end > limit - smallest_step_at(begin)) end = limit;
  return smooth_interval(begin, end);
}

template <class Engine>
auto EventDriven<Engine>::Implementation::next_piece(const NonsmoothState& from, double limit,
                                                     StepHistory& history) -> Piece {
  const double scale = motion_.time_scale();
  const SmoothMotion::Mode mode{motion_.condensed().states_of_directions(from.contacts), from.g, from.r};
  const SmoothInterval interval = next_interval(from.time, limit, history.proposed_length);

  Piece piece = interval.end > from.time ? accepted_piece(mode, from, interval.end)
                                         : piece_across_jump(mode, from, interval);
  const bool is_whole = !piece.contains_jump && piece.end == interval.end;
  const double next = std::min(new_length(piece.step.length, piece.step.error), piece.step.longest_next);
  const bool was_cut = !piece.contains_jump && (piece.ends_abruptly || is_whole);
  history.proposed_length =
      std::min(longest_step * scale, was_cut ? std::max(history.proposed_length, next) : next);
  if (piece.contains_jump)
    history.proposed_length = first_step * scale;
  else
    locate_event(mode, from, piece);
  if (piece.event) history.proposed_length = std::min(history.proposed_length, 10 * piece.step.length);
  if (is_whole && !piece.event && interval.ends_abruptly) {
    piece.end = interval.next;
    piece.ends_abruptly = true;
  }
  piece.ends_abruptly = !piece.event && piece.ends_abruptly;
  return piece;
}

template struct EventDriven<InstantiatedEngine>::Implementation;

}  // namespace halfdof
