#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/integrators/nonsmooth_state.h>

#include <functional>
#include <optional>
#include <vector>

namespace halfdof {

template <class Engine>
class NonsmoothIntegrator;

/**
 * What an integrator with inclusions shows to an observer: one point of the trajectory, and the events since
 * the last one that was shown. What costs solves is computed when asked for. Valid during the call only.
 *
 * Under MPI lift() and interpolate() are collective: all processes ask, or none.
 */
template <class Engine>
class NonsmoothObservation {
 public:
  /// The last step, and who knows what happened within it.
  struct Step {
    const NonsmoothIntegrator<Engine>& integrator;
    const NonsmoothState &begin, &end;
  };
  /// @param step Null where there is none: at the first point, and in a trajectory that was kept.
  NonsmoothObservation(const Inclusions<Engine>& inclusions, const NonsmoothState& state,
                       const std::vector<ContactEvent>& events, const Step* step = nullptr)
      : inclusions_(inclusions), state_(state), events_(events), step_(step) {}

  double time() const { return state_.time; }
  const Inclusions<Engine>& inclusions() const { return inclusions_; }
  /// Numbering of r, w and g: the directions that act, after merging.
  const NonsmoothState& state() const { return state_; }
  /// Since the last point that was shown, by time.
  const std::vector<ContactEvent>& events() const { return events_; }
  /// Energy that the laws have taken out since the start.
  double dissipated() const { return state_.dissipated; }

  /// Reactions of the inclusions as they were given.
  std::vector<Vector> reactions() const;
  /// States of the inclusions as they were given.
  std::vector<ContactState> contacts() const;
  /// All displacements, and the rates and accelerations that the state and its reactions determine, in
  /// assembled numbering. Computed once, at the first call.
  const LiftedState& lift() const;

  /// The last step; null where there is none.
  const Step* step() const { return step_; }
  /// The state at a time inside the last step, from the integrator's dense output.
  /// @throws InvalidInput outside of it; NotAvailable where there is no step
  NonsmoothState interpolate(double time) const;

 private:
  const Inclusions<Engine>& inclusions_;
  const NonsmoothState& state_;
  const std::vector<ContactEvent>& events_;
  const Step* step_;
  mutable std::optional<LiftedState> lifted_;
};

/// Called with the initial point and then with every step (or output time). A lambda with one parameter
/// `const auto&` will do.
template <class Engine>
using NonsmoothObserver = std::function<void(const NonsmoothObservation<Engine>&)>;

}  // namespace halfdof
