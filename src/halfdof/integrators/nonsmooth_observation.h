#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/integrators/nonsmooth_state.h>

#include <functional>
#include <optional>
#include <vector>

namespace halfdof {

/**
 * What an integrator with inclusions shows to an observer: one point of the trajectory, and the events since
 * the last one that was shown. What costs solves is computed when asked for. Valid during the call only.
 *
 * Under MPI lift() is collective: all processes ask, or none.
 */
template <class Engine>
class NonsmoothObservation {
 public:
  NonsmoothObservation(const Inclusions<Engine>& inclusions, const NonsmoothState& state,
                       const std::vector<ContactEvent>& events)
      : inclusions_(inclusions), state_(state), events_(events) {}

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

 private:
  const Inclusions<Engine>& inclusions_;
  const NonsmoothState& state_;
  const std::vector<ContactEvent>& events_;
  mutable std::optional<LiftedState> lifted_;
};

/// Called with the initial point and then with every step (or output time). A lambda with one parameter
/// `const auto&` will do.
template <class Engine>
using NonsmoothObserver = std::function<void(const NonsmoothObservation<Engine>&)>;

}  // namespace halfdof
