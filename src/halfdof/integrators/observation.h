#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <functional>
#include <optional>

namespace halfdof {

template <class Engine>
class Integrator;

/**
 * What an integrator shows to an observer: one point of the trajectory. Lifted displacements and states
 * inside the last step are computed when asked for, and cost nothing otherwise. Valid during the call only.
 *
 * Under MPI lift() and interpolate() are collective: all processes ask, or none.
 */
template <class Engine>
class Observation {
 public:
  Observation(const Integrator<Engine>& integrator, const State& state)
      : integrator_(integrator), state_(state) {}

  double time() const { return state_.time; }
  /// Reduced numbering: (q_I, q_C, v_I).
  const State& state() const { return state_; }

  /// All displacements (algebraic and prescribed ones too) and the rates and accelerations that the state
  /// determines, in assembled numbering. Computed once, at the first call.
  const LiftedState& lift() const;

  /// The state at a time inside the last step, from the integrator's dense output.
  /// @throws InvalidInput outside of it.
  State interpolate(double time) const;

  const Integrator<Engine>& integrator() const { return integrator_; }

 private:
  const Integrator<Engine>& integrator_;
  const State& state_;
  mutable std::optional<LiftedState> lifted_;
};

/// Called with the initial point and then with every step (or output time). A lambda with one parameter
/// `const auto&` will do.
template <class Engine>
using Observer = std::function<void(const Observation<Engine>&)>;

}  // namespace halfdof
