// SPDX-License-Identifier: LGPL-2.1-or-later
// These functions compute the pieces of smooth motion of an event-driven run, with their lengths and the
// events at which they end.
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
/// Events before this part of a step are located again in a shorter step.
constexpr double early_part = 0.2;
constexpr int first_intervals =
    32;  ///< Number of intervals of functions of time that determine the time scale.
constexpr int max_tangent_updates = 2;     ///< Largest number of updates of the tangents in one attempt.
constexpr double shortening_factor = 0.3;  ///< Factor of the length of a step that was not solved.

double next_step_length(double length, double error) {
  // If the error is NaN, the step is shortened.
  if (!(error > 0)) return error == 0 ? 10 * length : 0.1 * length;
  return length * std::clamp(0.8 * std::pow(error, -1. / RadauNodes::n_nodes), 0.1, 10.);
}

/// Makes all values of a step with a jump constant, so that the jump is at the end of the step. Gaps keep
/// their values `g` up to the end, and plays have the rate zero, because their work is the work of the jump.
void make_constant(SmoothStep& step, const CondensedInclusions& condensed, const Vector& g) {
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

/// Sets the time scale of the run to the longest of the first intervals in which functions of time are
/// smooth, or to the length of the run.
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

/// Computes a step. Exceptions in steps with a state force are stored in the piece, because the step may be
/// too long.
template <class Engine>
auto EventDriven<Engine>::Implementation::compute_piece(const SmoothMotion::Mode& mode,
                                                        const NonsmoothState& from, double length, double end)
    -> Piece {
  const auto step = [&] { return motion_.attempt(mode, from.time, length, from.y, from.r); };
  if (!owner_.reduced().depends_on_state()) return {step(), end};
  try {
    for (int n = 0; n < max_tangent_updates; ++n)
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

/// Makes the state constant in a piece that did not converge. Such a piece contains a jump of a load, whose
/// effect the next contact transition computes.
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
  Piece piece = compute_piece(mode, from, end - from.time, end);
  if (piece.is_accurate()) return piece;
  if (const auto kink = motion_.kink_between(from.time, end); kink && kink->before - from.time > smallest) {
    piece = compute_piece(mode, from, kink->before - from.time, kink->after);
    piece.ends_abruptly = true;
  }
  while (!piece.is_accurate() && piece.step.length > smallest) {
    const double length = piece.step.length, shorter = piece.failure
                                                           ? shortening_factor * length
                                                           : next_step_length(length, piece.step.error);
    piece = compute_piece(mode, from, std::max(smallest, shorter), from.time + std::max(smallest, shorter));
  }
  piece.contains_jump = !piece.is_accurate();
  if (piece.failure) keep_state_constant(from, piece);
  if (piece.contains_jump) make_constant(piece.step, motion_.condensed(), from.g);
  piece.ends_abruptly = piece.ends_abruptly || piece.contains_jump;
  return piece;
}

/// Returns the piece across a kink or a jump of a function of time. The state is constant in this piece.
template <class Engine>
auto EventDriven<Engine>::Implementation::piece_across_jump(const SmoothMotion::Mode& mode,
                                                            const NonsmoothState& from,
                                                            const SmoothInterval& interval) -> Piece {
  Piece piece = compute_piece(mode, from, interval.next - from.time, interval.next);
  if (piece.failure) keep_state_constant(from, piece);
  make_constant(piece.step, motion_.condensed(), from.g);
  piece.contains_jump = piece.ends_abruptly = true;
  return piece;
}

/// Locates the first event of a piece. An event early in a long step is located again in a shorter step,
/// because the values early in the step are small compared with the values to which rounding errors are
/// relative. An event of the rate of a play is not located again, because this rate is a difference of gaps,
/// which in a short step would be only rounding errors.
template <class Engine>
void EventDriven<Engine>::Implementation::locate_event(const SmoothMotion::Mode& mode,
                                                       const NonsmoothState& from, Piece& piece) {
  const double smallest = smallest_step_at(from.time);
  const auto is_rate_of_play = [&](Index direction) {
    const auto& data = motion_.condensed().direction(direction);
    return data.kind == DoFKind::algebraic && !data.is_contact &&
           !SmoothMotion::is_held(mode.states[static_cast<std::size_t>(direction)]);
  };
  // Times that differ by less than the smallest step, such as a row of a table and a kink, are one instant up
  // to rounding. An event between such times is found in the next step.
  if (piece.step.length < smallest) return;
  piece.event = first_event(motion_, mode, piece.step);
  while (piece.event && piece.event->tau < early_part && !is_rate_of_play(piece.event->direction) &&
         piece.step.length > smallest) {
    const double shorter = std::clamp(2 * piece.event->tau, 0.03, 0.5) * piece.step.length;
    const double length = std::max(smallest, shorter);
    Piece shorter_piece = compute_piece(mode, from, length, from.time + length);
    if (shorter_piece.failure) break;
    piece = std::move(shorter_piece);
    piece.event = first_event(motion_, mode, piece.step);
  }
}

/// Returns the interval of the next step. A step that would end just before the limit ends at the limit.
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
  const double next =
      std::min(next_step_length(piece.step.length, piece.step.error), piece.step.longest_next);
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
