#pragma once

#include <halfdof/integrators/observation.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halfdof {

/**
 * The step contract that every integrator of a reduced system
 * @f[ \dot y = A y + B F(t), \qquad y = (q_I, q_C, v_I), @f]
 * keeps. Half degrees of freedom need no care: viscous ones are first-order states, and algebraic ones are
 * not integrated at all. They follow from the state and the load at the same instant, by Observation::lift(),
 * and converge as fast as the state does.
 *
 * An integrator advances a State that belongs to the caller. What a method remembers from one step to the
 * next stays inside; it notices when it is handed another state than the one it left (an impact, a reset, a
 * second run) and starts afresh. A step either succeeds or throws and leaves the state as it was: neither NaN
 * nor infinity ever reaches the caller or an observer.
 *
 * Of a system with a StateForce the equations themselves are integrated: F(t) is ReducedSystem::load() at the
 * states that the method meets, implicit steps are solved for by StepIteration, and reduced() changes its
 * tangents where these no longer serve.
 *
 * Shapes: states as in ReducedSystem. Units: time [s], the rest the application's. All functions are
 * collective.
 */
template <class Engine>
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// "generalized-alpha", ... as messages call it.
  virtual std::string name() const = 0;
  const ReducedSystem<Engine>& reduced() const { return reduced_; }

  /// Advances the state by one step of the integrator's own length.
  /// @throws InvalidInput if the state has another size or is not finite; BlowUp; SingularMatrix; with a
  /// StateForce NoConvergence and KindChange
  void step(State& state);

  /**
   * Advances the state to end_time, which is hit exactly. The observer sees the initial point and the end of
   * every step.
   * @param end_time Finite, not before state.time. @throws as step()
   */
  void run(State& state, double end_time, const Observer<Engine>& observer = {});

  /**
   * Advances the state to the last output time. The steps are those of run() to that time; in between the
   * observer sees the dense output at the output times, and nothing else.
   * @param output_times Ascending, none before state.time. @throws as step()
   */
  void run(State& state, const std::vector<double>& output_times, const Observer<Engine>& observer);

  /// Dense output: the state at any time of the last step. @throws InvalidInput outside of it.
  State interpolate(double time) const;

 protected:
  explicit Integrator(const ReducedSystem<Engine>& reduced) : reduced_(reduced) {}
  Integrator(const Integrator&) = default;
  Integrator& operator=(const Integrator&) = default;

  /// Prepares for a state that this integrator did not reach itself.
  virtual void start(const State& state) = 0;
  /// The state after one step from the last state, at most at `limit` (infinite for a step of free length).
  /// Non-finite results are found by the caller.
  virtual State advance(const State& from, double limit) = 0;
  /// States to write the end of a step into: any, in the memory of one that nobody needs any more.
  Vector recycled() { return std::move(spent_); }
  /// Dense output of the step from `begin` to `end` at begin + theta (end - begin), 0 < theta < 1. Linear
  /// unless the method knows better.
  virtual Vector interpolate_step(const State& begin, const State& end, double theta) const;
  /// What to do when the state blows up: the last sentence of the message.
  virtual std::string advice() const = 0;
  /// Goes on with other tangents of the same system, those at a state. @param from where the step begins
  void renew_tangents(const State& state, const State& from);
  /// Holds the tangents at the end of a step against the declared kinds, and renews those that served badly.
  virtual void monitor(const State& end);
  /// reduced() has other tangents: what was made of them is made anew, also at the beginning of the step.
  virtual void forget_tangents(const State& /*from*/) {}

 private:
  void begin(const State& state);
  void step_to(State& state, double limit);

  ReducedSystem<Engine> reduced_;
  ColumnsSoFar columns_;           ///< at the ends of steps
  std::optional<State> previous_;  ///< where the last step began
  std::optional<State> reached_;   ///< the state that this integrator left
  Vector spent_;                   ///< see recycled()
};

}  // namespace halfdof
