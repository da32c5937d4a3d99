// SPDX-License-Identifier: LGPL-2.1-or-later
#include "chain_run.h"

#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace halfdof;

namespace {

/// Returns an event-driven integrator with a tight tolerance, or for long chains an implicit Euler integrator
/// with small steps, because the cost of an event grows with the cube of the number of nodes.
std::unique_ptr<NonsmoothIntegrator<EigenEngine>> reference_integrator(const ChainModel& model,
                                                                       double interval) {
  EventDrivenOptions options;
  options.relative_tolerance = 1e-12;
  if (model.chain.n() <= max_nodes_of_event_driven_runs)
    return std::make_unique<EventDriven<EigenEngine>>(model.inclusions, model.outcome, options);
  return std::make_unique<NonsmoothEuler<EigenEngine>>(model.inclusions, model.outcome, interval / 400);
}

}  // namespace

ChainRun::ChainRun(const ChainCase& given, Index n)
    : chosen(given), model(chain_of(n, given.inertia, given.end)), times(evenly_spaced(0.05, 10.)) {
  NonsmoothState state = model.at_rest();
  reference_integrator(model, times[1])->run(state, times, [this](const auto& now) {
    found.push_back(recover(model.chain, now));
    dissipated.push_back(now.dissipated());
    for (const ContactEvent& event : now.events())
      event_times.push_back(event.begin);
  });
}

Motion ChainRun::motion() const {
  Motion result{times, {}};
  for (const RecoveredQuantities& at : found)
    result.v.push_back(at.v);
  return result;
}

double ChainRun::distance_to_event(double time) const {
  double least = std::numeric_limits<double>::infinity();
  for (const double event : event_times)
    least = std::min(least, std::abs(event - time));
  return least;
}

std::size_t ChainRun::at(double time) const {
  return static_cast<std::size_t>(std::lround(time / times[1]));
}
