// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>

#include "nonsmooth_models.h"

/// Runs of the event-driven integrator, and when what was to happen.
namespace halfdof::test {

using Events = EventDriven<EigenEngine>;

template <class Model>
Trajectory run(const Model& model, NonsmoothState& state, double end,
               const EventDrivenOptions& options = {}) {
  Trajectory trajectory;
  verified_run(Events(model.inclusions, model.outcome, options), state, end, std::ref(trajectory));
  return trajectory;
}

/// When an inclusion starts to do what.
struct Change {
  double time;
  ContactState state;
};

/// Changes of state after the start, with those times.
inline void check_changes(const Trajectory& trajectory, const std::vector<Change>& expected,
                          double tolerance) {
  std::vector<ContactEvent> changes;
  for (const ContactEvent& event : trajectory.events)
    if (event.begin > 0) changes.push_back(event);
  BOOST_REQUIRE(changes.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    BOOST_TEST_CONTEXT(k << " at " << expected[k].time) {
      BOOST_TEST(std::abs(changes[k].begin - expected[k].time) < tolerance);
      BOOST_TEST(changes[k].begin == changes[k].end);
      BOOST_TEST((changes[k].after == expected[k].state));
      if (k > 0) BOOST_TEST((changes[k].before == expected[k - 1].state));
    }
  }
}

}  // namespace halfdof::test
