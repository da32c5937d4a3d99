// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>
#include <halfdof/integrators/time_grid.h>
#include <halfdof/reduction/reduced_system.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

template <class Engine>
class Inclusions;
template <class Engine>
class NonsmoothIntegrator;

/**
 * A point of a trajectory with inclusions,
 * @f[ M \ddot q + C \dot q + K q = f(t) + H r, \qquad (w, r) \in \mathcal G \ \text{or}\
 *     (g, r) \in \mathcal G. @f]
 * The state y does not determine the reactions: reactions of plays are states themselves, and the other r, w
 * and g are the values with which the laws were solved last. This struct contains all data that the next step
 * needs, so that a run may be stopped, saved and resumed at any step without a difference in the last digit.
 *
 * Shapes: r, w, g and impulse have Inclusions::n_directions() entries, all of them on every process; contacts
 * has one entry for each acting inclusion. nonsmooth_start() computes an initial state.
 */
struct NonsmoothState : State {
  Vector r;        ///< Reactions; an impulse is divided by the length of the last step [force].
  Vector w;        ///< Rates H^T q' - h' with which the laws of the last step were solved.
  Vector g;        ///< Gaps H^T q - h(t) at this time; for laws on the rate the slip since q = 0.
  Vector impulse;  ///< Integral of r since the start, including the impulses of impacts [force s].
  std::vector<ContactState> contacts;
  double dissipated = 0;  ///< Energy -int r.w dt dissipated since the start; w is relative to the supports.
  Vector dissipated_by;   ///< Energy dissipated by each acting inclusion; empty if all are zero so far.
  TimeGrid grid;          ///< Grid of the steps of methods with a fixed step length.
  Vector carried;      ///< Local data that `method` carries from step to step; empty before its first step.
  std::string method;  ///< Name of the method of the last step. Other methods ignore `memory`.

  /// Adds energy that an acting inclusion has dissipated.
  void dissipate(std::size_t inclusion, double energy) {
    if (dissipated_by.size() == 0) dissipated_by.setZero(static_cast<Index>(contacts.size()));
    dissipated_by[static_cast<Index>(inclusion)] += energy;
    dissipated += energy;
  }
};

/// An impact or a change of state of one inclusion, at an instant or within a step that does not locate it.
struct ContactEvent {
  double begin, end;              ///< Times before and after the event [s]; equal if the instant is located.
  std::size_t inclusion;          ///< Number among the acting inclusions.
  LocalVector w_before, w_after;  ///< Relative rates of its directions before and after the event.
  LocalVector impulse;            ///< Impulse of an impact; zero if velocities do not jump [force s].
  ContactState before, after;
};

/**
 * One point of the trajectory, and the events since the previous observation, which an integrator with
 * inclusions passes to an observer. Quantities that cost solves are computed on request. The object is valid
 * only during the call of the observer.
 *
 * Under MPI lift() and interpolate() are collective: all processes call them, or none.
 */
template <class Engine>
class NonsmoothObservation {
 public:
  /// The last step, and the integrator that interpolates within it.
  struct Step {
    const NonsmoothIntegrator<Engine>& integrator;
    const NonsmoothState &begin, &end;
  };
  /// @param step the last step; null at the first point and for points of a stored trajectory
  NonsmoothObservation(const Inclusions<Engine>& inclusions, const NonsmoothState& state,
                       const std::vector<ContactEvent>& events, const Step* step = nullptr)
      : inclusions_(inclusions), state_(state), events_(events), step_(step) {}

  double time() const { return state_.time; }
  const Inclusions<Engine>& inclusions() const { return inclusions_; }
  /// The state. Its r, w and g are numbered by the acting directions, after merging.
  const NonsmoothState& state() const { return state_; }
  /// The events since the previous observation, in the order of time.
  const std::vector<ContactEvent>& events() const { return events_; }
  /// The energy that the laws have dissipated since the start.
  double dissipated() const { return state_.dissipated; }

  /// Returns the reactions of the inclusions in the user's numbering, before merging.
  std::vector<Vector> reactions() const;
  /// Returns the states of the inclusions in the user's numbering, before merging.
  std::vector<ContactState> contacts() const;
  /// Returns all displacements, and the rates and accelerations that the state and its reactions determine,
  /// in assembled numbering. The motion is computed at the first call and stored.
  const AssembledMotion& lift() const;

  /// The last step; null if there is none.
  const Step* step() const { return step_; }
  /// Returns the state at a time inside the last step, from the integrator's dense output.
  /// @throws InvalidInput outside of the step; NotAvailable if there is no step
  NonsmoothState interpolate(double time) const;

 private:
  const Inclusions<Engine>& inclusions_;
  const NonsmoothState& state_;
  const std::vector<ContactEvent>& events_;
  const Step* step_;
  mutable std::optional<AssembledMotion> lifted_;
};

/// A function that the integrator calls at the initial point and after every step (or at every output time).
/// A lambda with one parameter `const auto&` can be used.
template <class Engine>
using NonsmoothObserver = std::function<void(const NonsmoothObservation<Engine>&)>;

/**
 * An observer that stores a trajectory: all observed points and all events.
 *
 * @code
 * Trajectory trajectory;
 * integrator.run(state, end_time, std::ref(trajectory));
 * @endcode
 */
struct Trajectory {
  std::vector<NonsmoothState> points;  ///< All observed points, in the order of time.
  std::vector<ContactEvent> events;    ///< All events, in the order of time.

  template <class Engine>
  void operator()(const NonsmoothObservation<Engine>& now) {
    points.push_back(now.state());
    events.insert(events.end(), now.events().begin(), now.events().end());
  }
};

}  // namespace halfdof
