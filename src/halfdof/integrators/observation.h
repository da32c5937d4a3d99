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
  /// @param integrator The one whose last step dense output is asked of; null where there is none.
  Observation(const ReducedSystem<Engine>& reduced, const State& state,
              const Integrator<Engine>* integrator = nullptr)
      : reduced_(reduced), state_(state), integrator_(integrator) {}

  double time() const { return state_.time; }
  /// Reduced numbering: (q_I, q_C, v_I).
  const State& state() const { return state_; }

  /// All displacements (algebraic and prescribed ones too) and the rates and accelerations that the state
  /// determines, in assembled numbering. Computed once, at the first call.
  const LiftedState& lift() const;

  /// The state at a time inside the last step, from the integrator's dense output.
  /// @throws InvalidInput outside of it; NotAvailable from an integrator without dense output.
  State interpolate(double time) const;

 private:
  const ReducedSystem<Engine>& reduced_;
  const State& state_;
  const Integrator<Engine>* integrator_;
  mutable std::optional<LiftedState> lifted_;
};

/// Called with the initial point and then with every step (or output time). A lambda with one parameter
/// `const auto&` will do.
template <class Engine>
using Observer = std::function<void(const Observation<Engine>&)>;

}  // namespace halfdof
