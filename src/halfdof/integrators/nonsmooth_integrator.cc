#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/integrators/nonsmooth_integrator.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/force_rounding.h>
#include <halfdof/reduction/state_dependence.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace halfdof {

namespace {

NonsmoothState without_memory(NonsmoothState state) {
  state.memory.resize(0);
  return state;
}

}  // namespace

template <class Engine>
std::vector<Vector> NonsmoothObservation<Engine>::reactions() const {
  return inclusions_.split_reactions(state_.time, state_.r);
}

template <class Engine>
std::vector<ContactState> NonsmoothObservation<Engine>::contacts() const {
  return inclusions_.split_contacts(state_.contacts);
}

template <class Engine>
const LiftedState& NonsmoothObservation<Engine>::lift() const {
  if (!lifted_) lifted_ = inclusions_.lift(state_, state_.r);
  return *lifted_;
}

template <class Engine>
NonsmoothState NonsmoothObservation<Engine>::interpolate(double time) const {
  if (!step_)
    throw NotAvailable(
        "The state at " + seconds(time) +
        " was asked of an observation that has no step behind it: the first point of a run, or "
        "one of a trajectory that was kept. Ask observations of steps.");
  const double begin = step_->begin.time, end = step_->end.time;
  if (!(time >= begin && time <= end))
    throw InvalidInput("The state at " + seconds(time) + " was asked of the step from " + seconds(begin) +
                       " to " + seconds(end) + ". Ask for it while that time is in the last step.");
  return step_->integrator.interpolate(step_->begin, step_->end, (time - begin) / (end - begin));
}

template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::interpolate(const NonsmoothState& begin,
                                                        const NonsmoothState& end, double theta) const {
  NonsmoothState between = interpolate_step(begin, end, theta);
  between.time = begin.time + theta * (end.time - begin.time);
  return between;
}

template <class Engine>
void NonsmoothIntegrator<Engine>::step(NonsmoothState& state, std::vector<ContactEvent>& events) {
  check(state);
  NonsmoothState to = next(state, std::numeric_limits<double>::infinity(), events);
  spent_ = std::move(state);
  state = std::move(to);
}

template <class Engine>
void NonsmoothIntegrator<Engine>::step(NonsmoothState& state) {
  std::vector<ContactEvent> events;
  step(state, events);
}

namespace {

/// Shows an observation on every process that observes, and hears on all what any observer throws.
template <class Engine>
void show(const NonsmoothObserver<Engine>& observer, const Inclusions<Engine>& inclusions,
          const NonsmoothState& state, const std::vector<ContactEvent>& events,
          const typename NonsmoothObservation<Engine>::Step* step = nullptr) {
  call_together(inclusions.reduced().communicator(), [&] {
    if (observer) observer(NonsmoothObservation<Engine>(inclusions, state, events, step));
  });
}

}  // namespace

template <class Engine>
void NonsmoothIntegrator<Engine>::run(NonsmoothState& state, double end_time,
                                      const NonsmoothObserver<Engine>& observer) {
  check_end_time(name(), state.time, end_time);
  check(state);
  std::vector<ContactEvent> events;
  show(observer, inclusions_, state, events);
  while (state.time < end_time) {
    events.clear();
    NonsmoothState begin = std::exchange(state, next(state, end_time, events));
    const typename NonsmoothObservation<Engine>::Step step{*this, begin, state};
    show(observer, inclusions_, state, events, &step);
    spent_ = std::move(begin);
  }
}

template <class Engine>
void NonsmoothIntegrator<Engine>::run(NonsmoothState& state, const std::vector<double>& output_times,
                                      const NonsmoothObserver<Engine>& observer) {
  check_output_times(name(), state.time, output_times);
  check(state);
  NonsmoothState begin = state;
  std::vector<ContactEvent> pending;  // not yet shown
  for (const double time : output_times) {
    while (state.time < time) {
      spent_ = std::exchange(begin, std::exchange(state, next(state, output_times.back(), pending)));
    }
    const bool at_step = time == state.time;
    const double theta = at_step ? 1. : (time - begin.time) / (state.time - begin.time);
    NonsmoothState between = at_step ? state : interpolate(begin, state, theta);
    between.time = time;

    const auto later = std::stable_partition(pending.begin(), pending.end(),
                                             [&](const ContactEvent& event) { return event.end <= time; });
    const std::vector<ContactEvent> shown(pending.begin(), later);
    pending.erase(pending.begin(), later);
    const typename NonsmoothObservation<Engine>::Step step{*this, begin, state};
    show(observer, inclusions_, between, shown, begin.time < state.time ? &step : nullptr);
  }
}

template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::interpolate_step(const NonsmoothState& begin,
                                                             const NonsmoothState& end, double theta) const {
  NonsmoothState between = end;
  const auto mean = [&](const Vector& first, const Vector& last) -> Vector {
    return (1 - theta) * first + theta * last;
  };
  between.y = mean(begin.y, end.y);
  between.r = mean(begin.r, end.r);
  between.w = mean(begin.w, end.w);
  between.g = mean(begin.g, end.g);
  between.impulse = mean(begin.impulse, end.impulse);
  between.dissipated = (1 - theta) * begin.dissipated + theta * end.dissipated;
  if (begin.dissipated_by.size() > 0 && end.dissipated_by.size() > 0)
    between.dissipated_by = mean(begin.dissipated_by, end.dissipated_by);
  else
    between.dissipated_by = theta * end.dissipated_by;
  between.memory.resize(0);
  return between;
}

template <class Engine>
void NonsmoothIntegrator<Engine>::check(const NonsmoothState& state) const {
  check_size(name(), reduced(), state);
  const Index m = inclusions_.n_directions();
  if (reduced().communicator().any(state.r.size() != m || state.w.size() != m || state.g.size() != m ||
                                   state.impulse.size() != m ||
                                   state.contacts.size() != inclusions_.acting().size()))
    throw InvalidInput("The state handed to " + name() + " has " + std::to_string(state.r.size()) +
                       " reactions, " + std::to_string(state.w.size()) + " rates, " +
                       std::to_string(state.g.size()) + " gaps and " + std::to_string(state.contacts.size()) +
                       " contact states, but the model has " + std::to_string(m) + " directions of " +
                       std::to_string(inclusions_.acting().size()) +
                       " inclusions. Take the state from nonsmooth_start() of the same model.");
  check_finite(name(), reduced(), state);
}

template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::next(const NonsmoothState& from, double limit,
                                                 std::vector<ContactEvent>& events) {
  const Stage stage("step");
  std::vector<ContactEvent> happened;
  NonsmoothState to = [&] {
    try {
      return from.method == name() ? solve_step(from, limit, happened)
                                   : solve_step(without_memory(from), limit, happened);
    } catch (const NoReactions& error) {
      throw NoReactions("The " + name() + " step from " + seconds(from.time) + " failed: " + error.what(),
                        error.residual(), error.inclusion());
    }
  }();
  to.method = name();
  if (!is_sound(reduced(), to)) refuse_step(name(), reduced(), from.time, to, advice());
  if (inclusions_.has_moving_supports()) require_obstacles_without_jumps(from, to);
  if (reduced().depends_on_state()) monitor(from, to);
  events.insert(events.end(), happened.begin(), happened.end());
  return to;
}

template <class Engine>
void NonsmoothIntegrator<Engine>::require_obstacles_without_jumps(const NonsmoothState& begin,
                                                                  const NonsmoothState& end) const {
  if (!(end.time > begin.time)) return;
  std::vector<Index> touching;
  for (const Index j : outcome_.directions_in(Cell::measure_inclusion))
    if (end.g[j] < 0 || end.contacts[inclusions_.inclusion_of(j)] != ContactState::open)
      touching.push_back(j);
  std::vector<Index> viscous;
  for (const Index j : outcome_.directions_in(Cell::sweeping_process))
    if (end.g[j] < 0) viscous.push_back(j);
  if (touching.empty() && viscous.empty()) return;
  // What moves smoothly makes about half of its way in each half of the step.
  const Vector first = inclusions_.prescribed(begin.time), last = inclusions_.prescribed(end.time),
               middle = inclusions_.prescribed(begin.time + 0.5 * (end.time - begin.time));
  // Methods that follow a jump of what has damping alone leave no gap behind.
  for (const Index j : viscous)
    if (end.g[j] < 0.5 * (last[j] - first[j])) touching.push_back(j);
  std::vector<Index> suspicious;
  for (const Index j : touching)
    if (std::max(first[j] - middle[j], middle[j] - last[j]) > 0.75 * (first[j] - last[j]) &&
        last[j] < first[j])
      suspicious.push_back(j);
  if (suspicious.empty()) return;
  const Vector size =
      prescribed_size(inclusions_, begin.time).cwiseMax(prescribed_size(inclusions_, end.time));
  std::map<double, Vector> at_times;  // which the directions share
  const auto prescribed = [&](double time) -> const Vector& {
    const auto [entry, is_new] = at_times.try_emplace(time);
    if (is_new) entry->second = inclusions_.prescribed(time);
    return entry->second;
  };
  for (const Index j : suspicious)
    require_no_jump(
        outcome_.directions[static_cast<std::size_t>(j)].name,
        [&](double time) { return prescribed(time)[j]; }, begin.time, end.time, begin.g[j], size[j]);
}

template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::solve_step(const NonsmoothState& from, double limit,
                                                       std::vector<ContactEvent>& events) {
  if (!reduced().depends_on_state()) return advance(from, limit, events);
  if (!is_implicit()) return advance_explicitly(from, limit, events);
  const auto parts = [this](const NonsmoothState& state) {
    std::vector<Vector> parts = parts_of(reduced(), state.y);
    parts.push_back(state.r);
    return parts;
  };
  begin_ = from;
  end_.reset();
  rounds_otherwise_ = false;
  trial_load_.begin(from.time);
  const auto what = [&] {
    return "The " + name() + " step from " + seconds(from.time) + " to " + seconds(end_->time);
  };
  StepIteration iteration(reduced().state_dependence()->options.newton, reduced().communicator(), what,
                          parts(from));
  bool has_own_tangents = false;
  while (true) {
    const std::optional<NonsmoothState> before = end_;
    events.clear();
    end_ = advance(from, limit, events);
    if (!has_own_tangents && needs_own_tangents(*end_)) {
      renew_at(*end_, met_reactions(*end_, end_->r));
      has_own_tangents = true;
      continue;
    }
    StepIteration::Verdict verdict = iteration.judge(parts(*end_));
    if (verdict == StepIteration::Verdict::measure_rounding)
      verdict = iteration.judge_rounding(parts(advance_with_other_rounding(from, limit, before)));
    if (verdict == StepIteration::Verdict::converged) return *end_;
    if (verdict == StepIteration::Verdict::renew_tangents) renew_at(*end_, met_reactions(*end_, end_->r));
  }
}

/// The last trial once more. @param before The end that it started from
template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::advance_with_other_rounding(
    const NonsmoothState& from, double limit, const std::optional<NonsmoothState>& before) {
  NonsmoothState begin = from;
  begin.y = with_other_rounding(std::move(begin.y));
  begin.g = with_other_rounding(std::move(begin.g));
  const std::optional<NonsmoothState> last = std::exchange(end_, before);
  std::vector<ContactEvent> events;
  rounds_otherwise_ = true;
  NonsmoothState trial = advance(begin, limit, events);
  rounds_otherwise_ = false;
  end_ = last;
  return trial;
}

/// Reactions are found by the tangents: these are renewed where they do not serve.
template <class Engine>
NonsmoothState NonsmoothIntegrator<Engine>::advance_explicitly(const NonsmoothState& from, double limit,
                                                               std::vector<ContactEvent>& events) {
  try {
    return advance(from, limit, events);
  } catch (const NoConvergence&) {
    events.clear();
    renew_at(from, from.r);
    return advance(from, limit, events);
  }
}

template <class Engine>
void NonsmoothIntegrator<Engine>::renew_at(const State& state, const Vector& r) {
  const NonsmoothState begin = begin_;
  const std::optional<NonsmoothState> end = end_;
  TrialLoad<Engine> trial_load = trial_load_;
  trial_load.forget_tangents();
  const Inclusions<Engine> inclusions(
      at_trial(state.time, [&] { return reduced().renewed(state, inclusions_.H().force(r)); }),
      inclusions_.given());
  const InclusionOutcome outcome = what_becomes(inclusions, outcome_.options);
  renew(inclusions, outcome);
  inclusions_ = inclusions;
  outcome_ = outcome;
  begin_ = begin;
  end_ = end;
  trial_load_ = trial_load;
}

template <class Engine>
Vector NonsmoothIntegrator<Engine>::load(double time) {
  if (!reduced().depends_on_state()) return reduced().linear_load(time);
  NonsmoothState at = begin_;
  if (end_ && time != begin_.time)
    at = time == end_->time ? *end_
                            : interpolate(begin_, *end_, (time - begin_.time) / (end_->time - begin_.time));
  at.time = time;
  const Vector r = met_reactions(at, end_ ? end_->r : begin_.r);
  Vector F = trial_load_(reduced(), at, r, inclusions_.H().force(r));
  if (rounds_otherwise_) F += force_rounding(reduced(), at, F);
  return F;
}

template <class Engine>
void NonsmoothIntegrator<Engine>::monitor(const NonsmoothState& begin, const NonsmoothState& end) {
  const bool serve =
      !monitors_kinds(reduced()) || reduced().check_kinds(end, inclusions_.H().force(end.r), columns_);
  if (!serve || !tangents_serve(begin, end)) renew_at(end, end.r);
}

template class NonsmoothObservation<InstantiatedEngine>;
template class NonsmoothIntegrator<InstantiatedEngine>;

}  // namespace halfdof
