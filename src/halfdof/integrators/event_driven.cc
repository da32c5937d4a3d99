#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/event_driven.h>
#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

constexpr double first_step = 0.1;       ///< of the time scale
constexpr double longest_step = 100;     ///< of the time scale
constexpr double smallest_step = 1e-10;  ///< of the time scale
constexpr double first_look = 1e-6;      ///< ahead at an event, of the time scale
constexpr double progress = 1e-8;        ///< of the time scale: less since the last event is none
constexpr double early = 0.2;            ///< of a step: an event before that is located once more
constexpr int first_intervals = 32;      ///< of functions of time that are looked at for the time scale
constexpr int max_chain = 200;           ///< events and smallest steps without progress
constexpr int tangents_of_step = 2;      ///< that are taken for one attempt
constexpr int tangents_of_event = 20;
constexpr double easier = 0.3;   ///< of a step that was not solved
constexpr double unsolved = 20;  ///< what a smallest step that was not solved adds to a chain
constexpr double tolerance_of_integrals = 1e-10;

/// The options with their breakpoints in order.
EventDrivenOptions checked(EventDrivenOptions options) {
  const auto refuse = [](const std::string& what, double value, const std::string& range) {
    throw InvalidInput("The " + what + " of the event-driven integrator is " + number_text(value) +
                       ". Give " + range + ".");
  };
  if (!(options.relative_tolerance >= 1e-13 && options.relative_tolerance < 1))
    refuse("relative tolerance", options.relative_tolerance, "one between 1e-13 and 1");
  if (!(options.absolute_tolerance >= 0))
    refuse("absolute tolerance", options.absolute_tolerance, "one that is not negative");
  if (!(options.largest_step > 0)) refuse("largest step", options.largest_step, "a positive one");
  if (!(options.shortest_flight >= 0) || !std::isfinite(options.shortest_flight))
    refuse("shortest flight", options.shortest_flight, "a finite one that is not negative");
  if (!(options.run_length >= 0) || !std::isfinite(options.run_length))
    refuse("length of the run", options.run_length, "a finite one that is not negative");
  for (const double time : options.breakpoints)
    if (!std::isfinite(time)) refuse("breakpoint", time, "times that are finite");
  std::sort(options.breakpoints.begin(), options.breakpoints.end());
  return options;
}

double new_length(double length, double error) {
  if (!(error > 0)) return error == 0 ? 10 * length : 0.1 * length;  // NaN too
  return length * std::clamp(0.8 * std::pow(error, -1. / RadauNodes::n_nodes), 0.1, 10.);
}

/// Something jumps within the step, and shows at its end: until then gaps stay where they are, so that plays
/// have no rates, whose work is that of the jump.
void hold(SmoothStep& step, const CondensedInclusions& condensed, const Vector& g) {
  for (Index j = 0; j < condensed.n_directions(); ++j)
    if (condensed.place(j).kind == DoFKind::algebraic) step.w(j, 0) = 0;
  step.g.col(0) = g;
  for (MultiVector* values : {&step.r, &step.w, &step.g})
    values->colwise() = Vector(values->col(0));
}

}  // namespace

template <class Engine>
EventDriven<Engine>::EventDriven(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                 const EventDrivenOptions& options)
    : NonsmoothIntegrator<Engine>(inclusions, outcome),
      options_(checked(options)),
      motion_(condense(inclusions, outcome, options.max_states, name()), options.relative_tolerance,
              options.absolute_tolerance),
      transition_(motion_, options.shortest_flight, options.impact_law) {
  motion_.set_kinks([this](double begin, double end) { return smooth_interval(begin, end).end; });
}

template <class Engine>
std::vector<Check> EventDriven<Engine>::kept_exactly() const {
  std::vector<Check> kept = {Check::gap,   Check::penetration,     Check::reaction,
                             Check::law,   Check::complementarity, Check::variational,
                             Check::impact};
  // Integrals of dense output are as good as the steps.
  if (options_.relative_tolerance <= tolerance_of_integrals)
    kept.insert(kept.end(),
                {Check::balance, Check::impulse, Check::kinematics, Check::dissipated, Check::energy});
  return kept;
}

template <class Engine>
SmoothInterval EventDriven<Engine>::smooth_interval(double begin, double end) const {
  const auto& breaks = options_.breakpoints;
  const auto next = std::upper_bound(breaks.begin(), breaks.end(), begin);
  SmoothInterval all{end, end};
  if (next != breaks.end() && *next <= end) all = {*next, *next, true};
  const double shortest = smallest_at(begin);
  const auto look_at = [&](const ScalarFunction& function) {
    all = SmoothInterval::shorter(all, function.smooth_interval(begin, all.end, shortest));
  };
  for (const Inclusion& inclusion : this->inclusions().acting())
    for (const ScalarFunction* function : inclusion.law->functions_of_time())
      look_at(*function);
  for (const ScalarFunction& function : options_.functions)
    look_at(function);
  return all;
}

/// The longest of the first intervals in which functions of time are smooth, or the whole run.
template <class Engine>
void EventDriven<Engine>::set_run_scale(double begin, double end) {
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
double EventDriven<Engine>::smallest_at(double time) const {
  return std::max(smallest_step * motion_.time_scale(),
                  64 * std::numeric_limits<double>::epsilon() * std::abs(time));
}

template <class Engine>
void EventDriven<Engine>::renew(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) {
  CondensedInclusions condensed = condense(inclusions, outcome, options_.max_states, name());
  ContactTransition::check(condensed);
  motion_.renew(std::move(condensed));
}

/// What goes wrong with a state force may go wrong because the step is too long.
template <class Engine>
auto EventDriven<Engine>::attempt(const SmoothMotion::Mode& mode, const NonsmoothState& from, double length,
                                  double end) -> Piece {
  const auto step = [&] { return motion_.attempt(mode, from.time, length, from.y, from.r); };
  if (!this->reduced().depends_on_state()) return {step(), end};
  try {
    for (int n = 0; n < tangents_of_step; ++n)
      try {
        return {step(), end};
      } catch (const SlowTangents& slow) {
        this->renew_at({slow.time(), slow.y()}, slow.r());
      }
    return {step(), end};
  } catch (const Error&) {
    Piece failed{{from.time, length, {}, {}, {}, {}, {}, {}, {}, {}}, end};
    failed.failure = std::current_exception();
    return failed;
  }
}

/// Something jumps that a state force answers: the next transition finds out.
template <class Engine>
void EventDriven<Engine>::stay(const NonsmoothState& from, Piece& piece) const {
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
auto EventDriven<Engine>::accepted(const SmoothMotion::Mode& mode, const NonsmoothState& from, double end)
    -> Piece {
  const double smallest = smallest_at(from.time);
  Piece piece = attempt(mode, from, end - from.time, end);
  if (piece.is_accurate()) return piece;
  if (const auto kink = motion_.kink_between(from.time, end); kink && kink->before - from.time > smallest) {
    piece = attempt(mode, from, kink->before - from.time, kink->after);
    piece.ends_abruptly = true;
  }
  while (!piece.is_accurate() && piece.step.length > smallest) {
    const double length = piece.step.length,
                 shorter = piece.failure ? easier * length : new_length(length, piece.step.error);
    piece = attempt(mode, from, std::max(smallest, shorter), from.time + std::max(smallest, shorter));
  }
  piece.is_forced = !piece.is_accurate();
  if (piece.failure) stay(from, piece);
  if (piece.is_forced) hold(piece.step, motion_.condensed(), from.g);
  piece.ends_abruptly = piece.ends_abruptly || piece.is_forced;
  return piece;
}

/// A kink or a jump of a function of time.
template <class Engine>
auto EventDriven<Engine>::across(const SmoothMotion::Mode& mode, const NonsmoothState& from,
                                 const SmoothInterval& interval) -> Piece {
  Piece piece = attempt(mode, from, interval.next - from.time, interval.next);
  if (piece.failure) stay(from, piece);
  hold(piece.step, motion_.condensed(), from.g);
  piece.is_forced = piece.ends_abruptly = true;
  return piece;
}

template <class Engine>
void EventDriven<Engine>::account(const SmoothStep& step, double tau, NonsmoothState& to) const {
  const RadauNodes& radau = RadauNodes::get();
  for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
    const Vector basis = radau.basis(tau * radau.nodes()[i]);
    const double weight = tau * step.length * radau.quadrature()[i];
    const Vector r = step.r * basis, w = step.w * basis;
    to.impulse += weight * r;
    for (Index j = 0; j < static_cast<Index>(r.size()); ++j)
      if (const auto& place = motion_.condensed().place(j); !place.is_contact)
        to.dissipate(place.inclusion, weight * (place.is_tangent() ? -w[j] * r[j]
                                                                   : place.law->dissipated_power(
                                                                         w.segment(j, 1), r.segment(j, 1))));
  }
}

template <class Engine>
void EventDriven<Engine>::report(double time, const std::vector<ContactState>& before,
                                 const std::vector<ContactState>& states, const AfterTransition& after,
                                 std::vector<ContactEvent>& events) const {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Index j = this->inclusions().first_direction(i),
                d = this->inclusions().acting()[i].law->dimension();
    if (states[i] == before[i] && after.impulses.segment(j, d).isZero(0)) continue;
    events.push_back({time, time, i, after.w_before.segment(j, d), after.w.segment(j, d),
                      after.impulses.segment(j, d), before[i], states[i]});
  }
}

template <class Engine>
AfterTransition EventDriven<Engine>::transition(BeforeTransition before) {
  if (!this->reduced().depends_on_state()) return transition_(before);
  this->renew_at({before.time, before.y}, before.r);
  for (int n = 0; n < tangents_of_event; ++n)
    try {
      return transition_(before);
    } catch (const SlowTangents& slow) {
      // The mass stays that of this instant.
      const Vector y = slow.time() > before.time ? before.y : slow.y();
      this->renew_at({before.time, y}, slow.r());
      before.guess = slow.r();
    }
  return transition_(before);
}

/// Impacts, and the states of all inclusions behind them.
template <class Engine>
void EventDriven<Engine>::change(NonsmoothState& state, std::optional<Index> triggered, LookAhead ahead,
                                 std::vector<ContactEvent>& events) {
  const CondensedInclusions& condensed = motion_.condensed();
  // The look ahead ends in the middle of the smooth interval: behind a kink other states may follow, and at
  // the kink rounding decides on which side one is. Kinks as near as the smallest step are passed over.
  if (const double smooth = smooth_interval(state.time, state.time + ahead.time).end - state.time;
      smooth > smallest_at(state.time))
    ahead.time = std::min(ahead.time, 0.5 * smooth);
  BeforeTransition before{state.time, state.y, state.r,
                          state.w,    state.g, condensed.of_directions(state.contacts),
                          triggered,  ahead,   state.r};
  AfterTransition after = [&] {
    while (true)
      try {
        return transition(before);
      } catch (const UndefinedFunction&) {
        // A function of time may have no value that far ahead.
        before.ahead.time *= 0.1;
        if (before.ahead.time < smallest_at(state.time)) throw;
      }
  }();
  const std::vector<ContactState> states = motion_.condensed().of_inclusions(after.states, after.r);
  report(state.time, state.contacts, states, after, events);
  state.y = std::move(after.y);
  state.r = std::move(after.r);
  state.w = std::move(after.w);
  state.g = std::move(after.g);
  state.contacts = states;
  state.impulse += after.impulses;
  for (Index j = 0; j < condensed.n_directions(); ++j)
    state.dissipate(condensed.place(j).inclusion, after.dissipated[j]);
}

/// Early in a long step, what decides is small against the values that rounding is relative to. Not so the
/// rate of a play, a difference of gaps, of which a short step leaves rounding alone.
template <class Engine>
void EventDriven<Engine>::locate_event(const SmoothMotion::Mode& mode, const NonsmoothState& from,
                                       Piece& piece) {
  const double smallest = smallest_at(from.time);
  const auto is_rate_of_play = [&](Index direction) {
    const auto& place = motion_.condensed().place(direction);
    return place.kind == DoFKind::algebraic && !place.is_contact &&
           !SmoothMotion::is_held(mode.states[static_cast<std::size_t>(direction)]);
  };
  // Between a row and a kink that are one instant but for rounding: what happens shows in the next step.
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

/// Steps end a little before what ends soon after, and do not fall short of the limit by rounding.
template <class Engine>
SmoothInterval EventDriven<Engine>::next_interval(double begin, double limit, double proposed) const {
  double end = begin + std::min(proposed, options_.largest_step);
  if (end > limit - smallest_at(begin)) end = limit;
  return smooth_interval(begin, end);
}

template <class Engine>
auto EventDriven<Engine>::next_piece(const NonsmoothState& from, double limit, Pace& pace) -> Piece {
  const double scale = motion_.time_scale();
  const SmoothMotion::Mode mode{motion_.condensed().of_directions(from.contacts), from.g, from.r};
  const SmoothInterval interval = next_interval(from.time, limit, pace.proposed);

  Piece piece = interval.end > from.time ? accepted(mode, from, interval.end) : across(mode, from, interval);
  const bool is_whole = !piece.is_forced && piece.end == interval.end;
  const double next = std::min(new_length(piece.step.length, piece.step.error), piece.step.longest_next);
  const bool was_cut = !piece.is_forced && (piece.ends_abruptly || is_whole);
  pace.proposed = std::min(longest_step * scale, was_cut ? std::max(pace.proposed, next) : next);
  if (piece.is_forced)
    pace.proposed = first_step * scale;
  else
    locate_event(mode, from, piece);
  if (piece.event) pace.proposed = std::min(pace.proposed, 10 * piece.step.length);
  if (is_whole && !piece.event && interval.ends_abruptly) {
    piece.end = interval.next;
    piece.ends_abruptly = true;
  }
  piece.ends_abruptly = !piece.event && piece.ends_abruptly;
  return piece;
}

template <class Engine>
void EventDriven<Engine>::follow(const Piece& piece, NonsmoothState& to) {
  const SmoothStep& step = piece.step;
  const double tau = piece.tau();
  const Vector basis = RadauNodes::get().basis(tau);
  const double end = piece.event ? to.time + tau * step.length : piece.end;
  last_ = Last{step, to.contacts, end, to.impulse, to.dissipated, to.dissipated_by, piece.is_forced};
  account(step, tau, to);
  to.y = step.y * basis;
  to.r = step.r * basis;
  to.w = step.w * basis;
  to.g = step.g * basis;
  to.time = last_->end;
}

template <class Engine>
void EventDriven<Engine>::fail(const Piece& piece, double time) const {
  if (piece.failure) std::rethrow_exception(piece.failure);
  const std::string begin =
      "The event-driven run makes no progress at " + seconds(time) + ": " + std::to_string(max_chain);
  if (piece.event)
    throw NoConvergence(begin + " events follow each other within rounding, the last at \"" +
                            motion_.condensed().place(piece.event->direction).name +
                            "\". Raise shortest_flight if contacts bounce there, or take Moreau-Jean.",
                        max_chain);
  throw NoConvergence(begin +
                          " steps as short as can be do not meet what loads, thresholds and prescribed "
                          "motions are there. Give smoother ones, if they are noisy, or raise "
                          "relative_tolerance, or take Moreau-Jean.",
                      max_chain);
}

template <class Engine>
void EventDriven<Engine>::conclude(const Piece& piece, NonsmoothState& to, Pace& pace,
                                   std::vector<ContactEvent>& events) {
  const double scale = motion_.time_scale();
  const bool has_moved_on = piece.tau() * piece.step.length >= progress * scale;
  const double chain = pace.chain + (piece.event || piece.is_forced ? (piece.failure ? unsolved : 1.) : 0.);
  if (!has_moved_on && chain > max_chain) fail(piece, to.time);
  if (piece.event || piece.ends_abruptly) {
    const auto triggered = piece.event ? std::optional<Index>(piece.event->direction) : std::nullopt;
    const double n_before = has_moved_on ? pace.chain : chain;
    // A contact that is k states away from the load moves like t^(k+1), and a sweep passes on by one state.
    const LookAhead ahead{first_look * scale * std::pow(10., std::min(4., 0.5 * n_before)),
                          1 + std::min(static_cast<Index>(n_before), motion_.condensed().n_states())};
    const std::size_t n_events = events.size();
    change(to, triggered, ahead, events);
    // An event at which nothing changes shows that the look ahead was too short.
    const bool has_changed = !piece.event || events.size() > n_events;
    pace.chain = has_moved_on && has_changed ? 0 : chain;
    return;
  }
  pace.chain = has_moved_on ? 0 : chain;
  const std::vector<ContactState> before = to.contacts;
  std::vector<ContactState> states = motion_.condensed().of_directions(before);
  transition_.recover(to.time, to.w, to.g, to.r, states);
  to.contacts = motion_.condensed().of_inclusions(states, to.r);
  report(to.time, before, to.contacts, {to.w, {}, {}, to.w, {}, {}, Vector::Zero(to.w.size()), {}}, events);
}

/// Friction that rests on what is moved as prescribed, and slips at the end of the step, slips from its
/// begin on:
/// where there was rest, the reaction may be any. @return whether there is such
template <class Engine>
bool EventDriven<Engine>::leaves_rest(const SmoothStep& step, NonsmoothState& state,
                                      std::vector<ContactEvent>& events) const {
  const std::vector<ContactState> before = state.contacts;
  for (Index j = 0; j < motion_.condensed().n_directions(); ++j) {
    const auto& place = motion_.condensed().place(j);
    const std::size_t i = place.inclusion;
    const double w = step.w(j, RadauNodes::n_stages);
    if (place.kind != DoFKind::constrained || before[i] != ContactState::stick ||
        std::abs(w) <= rounding_of_rate(motion_.condensed(), step, j))
      continue;
    state.contacts[i] = w > 0 ? ContactState::slip_forward : ContactState::slip_back;
    state.r[j] = motion_.condensed().sliding(j, state.time, state.contacts[i], w).r;
  }
  if (state.contacts == before) return false;
  report(state.time, before, state.contacts,
         {state.w, {}, {}, state.w, {}, {}, Vector::Zero(state.w.size()), {}}, events);
  return true;
}

template <class Engine>
NonsmoothState EventDriven<Engine>::advance(const NonsmoothState& from, double limit,
                                            std::vector<ContactEvent>& events) {
  const auto look_again = [&](NonsmoothState& state) {
    change(state, std::nullopt, {first_look * motion_.time_scale(), 1}, events);
  };
  NonsmoothState to = from;
  const bool is_fresh = from.memory.size() != 4;
  if (!is_fresh) {
    motion_.set_run_scale(from.memory[2]);
    motion_.set_run_length(from.memory[3]);
  } else if (options_.run_length > 0) {
    set_run_scale(from.time, from.time + options_.run_length);
  } else if (std::isfinite(limit)) {
    set_run_scale(from.time, limit);
  }
  const double scale = motion_.time_scale();
  Pace pace = is_fresh ? Pace{first_step * scale, 0} : Pace{from.memory[0], from.memory[1]};
  if (is_fresh) look_again(to);

  bool has_looked = is_fresh;
  while (to.time == from.time) {
    // What is tried once more has the length of the first trial: a shorter step may not show who leaves rest.
    Pace next = pace;
    const Piece piece = next_piece(to, limit, next);
    if (piece.step.begins_with_kink && !has_looked) {
      has_looked = true;
      look_again(to);
      continue;
    }
    if (leaves_rest(piece.step, to, events)) continue;
    pace = next;
    follow(piece, to);
    conclude(piece, to, pace, events);
  }
  to.grid = {to.time, 0};
  to.memory = Eigen::Vector4d(pace.proposed, pace.chain, motion_.run_scale(), motion_.run_length());
  return to;
}

template <class Engine>
NonsmoothState EventDriven<Engine>::interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                                     double theta) const {
  if (!last_ || last_->end != end.time || last_->step.begin != begin.time)
    return NonsmoothIntegrator<Engine>::interpolate_step(begin, end, theta);
  const double tau = theta * (end.time - begin.time) / last_->step.length;
  NonsmoothState between = begin;
  const Vector basis = RadauNodes::get().basis(tau);
  between.impulse = last_->impulse;
  between.dissipated = last_->dissipated;
  between.dissipated_by = last_->dissipated_by;
  account(last_->step, tau, between);
  between.y = last_->step.y * basis;
  between.r = last_->step.r * basis;
  between.w = last_->step.w * basis;
  between.g = last_->step.g * basis;
  between.contacts = last_->states;
  between.memory.resize(0);
  return between;
}

template class EventDriven<InstantiatedEngine>;

}  // namespace halfdof
