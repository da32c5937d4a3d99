#pragma once

#include <halfdof/integrators/nonsmooth_observation.h>

#include <vector>

namespace halfdof {

/**
 * A trajectory kept in memory: all points that an observer sees, and all events.
 *
 * @code
 * Trajectory trajectory;
 * integrator.run(state, end_time, std::ref(trajectory));
 * @endcode
 */
struct Trajectory {
  std::vector<NonsmoothState> points;  ///< by time
  std::vector<ContactEvent> events;    ///< by time

  template <class Engine>
  void operator()(const NonsmoothObservation<Engine>& now) {
    points.push_back(now.state());
    events.insert(events.end(), now.events().begin(), now.events().end());
  }
};

}  // namespace halfdof
