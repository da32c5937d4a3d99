#include <halfdof/base/errors.h>
#include <halfdof/integrators/integrator.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace halfdof {

namespace {

/// No finite-element quantity in any system of units is as large; a state beyond it is on its way to
/// overflow.
constexpr double largest_entry = 1e100;

/// The quantity and the local free DoF that an entry of the state stands for.
struct StateEntry {
  const char* quantity;
  Index local_free;
};

StateEntry state_entry(const Classification& classification, Index entry) {
  const auto& inertial = classification.inertial().local();
  const auto& viscous = classification.viscous().local();
  const Index n_I = classification.inertial().n_local(), n_C = classification.viscous().n_local();
  if (entry < n_I) return {"displacement", inertial[static_cast<std::size_t>(entry)]};
  if (entry < n_I + n_C) return {"displacement", viscous[static_cast<std::size_t>(entry - n_I)]};
  return {"velocity", inertial[static_cast<std::size_t>(entry - n_I - n_C)]};
}

bool is_acceptable(const Vector& y) {
  // False for NaN too.
  return y.size() == 0 || y.cwiseAbs().template maxCoeff<Eigen::PropagateNaN>() <= largest_entry;
}

Index worst_entry(const Vector& y) {
  Index worst = 0;
  for (Index i = 0; i < static_cast<Index>(y.size()); ++i) {
    if (!std::isfinite(y[i])) return i;
    if (std::abs(y[i]) > std::abs(y[worst])) worst = i;
  }
  return worst;
}

/// "17:the velocity of DoF 17 (node 6, x) is nan" of the first process that has something to report.
std::pair<GlobalIndex, std::string> first_report(const Communicator& communicator, GlobalIndex dof,
                                                 const std::string& text) {
  const std::string bytes = text.empty() ? "" : std::to_string(dof) + ":" + text;
  for (const std::string& report : communicator.gather(bytes))
    if (!report.empty()) {
      const std::size_t colon = report.find(':');
      return {std::stoll(report.substr(0, colon)), report.substr(colon + 1)};
    }
  return {-1, "nothing"};
}

template <class Engine>
std::pair<GlobalIndex, std::string> describe_worst(const ReducedSystem<Engine>& reduced, const Vector& y) {
  GlobalIndex dof = -1;
  std::ostringstream text;
  if (!is_acceptable(y)) {
    const Index worst = worst_entry(y);
    const StateEntry entry = state_entry(reduced.classification(), worst);
    dof = reduced.free().assembled_index(entry.local_free);
    text << "the " << entry.quantity << " of " << reduced.free().describe(entry.local_free) << " is "
         << y[worst];
  }
  return first_report(reduced.communicator(), dof, text.str());
}

std::string seconds(double time) {
  std::ostringstream text;
  text.precision(10);
  text << time << " s";
  return text.str();
}

}  // namespace

template <class Engine>
const LiftedState& Observation<Engine>::lift() const {
  if (!lifted_) lifted_ = reduced_.lift(state_);
  return *lifted_;
}

template <class Engine>
State Observation<Engine>::interpolate(double time) const {
  if (!integrator_)
    throw NotAvailable("The state at " + seconds(time) +
                       " was asked of an integrator without dense output. Ask it " +
                       "for an output at that time instead.");
  return integrator_->interpolate(time);
}

template <class Engine>
void Integrator<Engine>::step(State& state) {
  begin(state);
  step_to(state, std::numeric_limits<double>::infinity());
}

template <class Engine>
void Integrator<Engine>::run(State& state, double end_time, const Observer<Engine>& observer) {
  if (!std::isfinite(end_time) || end_time < state.time)
    throw InvalidInput("The end time " + seconds(end_time) + " of the " + name() +
                       " run is not a time at or after that of the state, " + seconds(state.time) +
                       ". Give a finite, later one.");
  begin(state);
  if (observer) observer(Observation<Engine>(reduced_, state, this));
  while (state.time < end_time) {
    step_to(state, end_time);
    if (observer) observer(Observation<Engine>(reduced_, state, this));
  }
}

template <class Engine>
void Integrator<Engine>::run(State& state, const std::vector<double>& output_times,
                             const Observer<Engine>& observer) {
  double previous = state.time;
  for (const double time : output_times) {
    if (!std::isfinite(time) || time < previous)
      throw InvalidInput("The output time " + seconds(time) + " of the " + name() + " run follows " +
                         seconds(previous) +
                         ". Output times are finite, ascending and not before the time of the state.");
    previous = time;
  }
  begin(state);
  for (const double time : output_times) {
    while (state.time < time)
      step_to(state, output_times.back());
    const State between = time == state.time ? State{} : interpolate(time);
    if (observer) observer(Observation<Engine>(reduced_, time == state.time ? state : between, this));
  }
}

template <class Engine>
State Integrator<Engine>::interpolate(double time) const {
  if (reached_ && time == reached_->time) return *reached_;
  if (previous_ && time == previous_->time) return *previous_;
  if (!previous_ || !(time > previous_->time && time < reached_->time))
    throw InvalidInput(
        "The state at " + seconds(time) + " was asked of the dense output of " + name() + ", which covers " +
        (previous_
             ? "the last step, from " + seconds(previous_->time) + " to " + seconds(reached_->time) + ","
             : std::string("no step yet,")) +
        " alone. Ask for it while the step is the last one, or name output times to run().");
  const double theta = (time - previous_->time) / (reached_->time - previous_->time);
  return {time, interpolate_step(*previous_, *reached_, theta)};
}

template <class Engine>
Vector Integrator<Engine>::interpolate_step(const State& begin, const State& end, double theta) const {
  return (1 - theta) * begin.y + theta * end.y;
}

template <class Engine>
void Integrator<Engine>::begin(const State& state) {
  if (reduced_.communicator().any(state.y.size() != reduced_.n_local_states()))
    throw InvalidInput("The state handed to " + name() + " has " + std::to_string(state.y.size()) +
                       " entries here, the reduced system " + std::to_string(reduced_.n_local_states()) +
                       ". Take the state from consistent_state() or restrict() of the same system.");
  const bool known = reached_ && reached_->time == state.time && reached_->y == state.y;
  if (!reduced_.communicator().any(!known)) return;
  if (reduced_.communicator().any(!std::isfinite(state.time) || !is_acceptable(state.y)))
    throw InvalidInput("The state handed to " + name() + " at " + seconds(state.time) + " is not finite: " +
                       describe_worst(reduced_, state.y).second + ". Correct the initial values.");
  previous_.reset();
  reached_ = state;
  start(state);
}

template <class Engine>
void Integrator<Engine>::step_to(State& state, double limit) {
  State next;
  try {
    next = advance(state, limit);
    check_result(state, next);
  } catch (...) {
    previous_.reset();
    reached_.reset();  // what the method remembers is half a step ahead: start afresh next time
    throw;
  }
  previous_ = std::move(reached_);
  reached_ = next;
  state = std::move(next);
}

template <class Engine>
void Integrator<Engine>::check_result(const State& from, const State& to) const {
  if (!reduced_.communicator().any(!is_acceptable(to.y))) return;
  const auto [dof, what] = describe_worst(reduced_, to.y);
  throw BlowUp("The " + name() + " step from " + seconds(from.time) + " to " + seconds(to.time) +
                   " blew up: " + what + ". " + advice(),
               to.time, dof);
}

template class Observation<InstantiatedEngine>;
template class Integrator<InstantiatedEngine>;

}  // namespace halfdof
