// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion.h"

#include <halfdof/base/errors.h>
#include <halfdof/integrators/event_driven/event_driven.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

using namespace halfdof;

namespace {

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace

std::vector<ContactEvent> Motion::impacts() const {
  std::vector<ContactEvent> found;
  std::copy_if(events.begin(), events.end(), std::back_inserter(found),
               [](const ContactEvent& event) { return event.impulse[0] > 0; });
  return found;
}

Flight Motion::longest_flight() const {
  Flight longest{0, 0};
  for (std::size_t i = 1; i < events.size(); ++i) {
    const Flight flight{events[i - 1].end, events[i].begin};
    if (events[i - 1].after == ContactState::open &&
        flight.landing - flight.begin > longest.landing - longest.begin)
      longest = flight;
  }
  return longest;
}

Vector Motion::times() const {
  return vector_of(time);
}

Vector Motion::of(Index dof) const {
  Vector entries(displacement.size());
  for (std::size_t i = 0; i < displacement.size(); ++i)
    entries[static_cast<Index>(i)] = displacement[i][dof];
  return entries;
}

Vector Motion::forces() const {
  return vector_of(force);
}

Motion drive(NonsmoothIntegrator<EigenEngine>& integrator, NonsmoothState state,
             const std::vector<double>& output_times) {
  Motion motion;
  motion.method = integrator.name();
  double impulse = state.impulse[0], last = state.time;
  const auto begin = std::chrono::steady_clock::now();
  integrator.run(state, output_times, [&](const auto& now) {
    const double passed = now.time() - last;
    motion.time.push_back(now.time());
    motion.displacement.push_back(now.lift().displacement);
    motion.force.push_back(passed > 0 ? (now.state().impulse[0] - impulse) / passed : now.state().r[0]);
    motion.dissipated.push_back(now.dissipated());
    motion.events.insert(motion.events.end(), now.events().begin(), now.events().end());
    impulse = now.state().impulse[0];
    last = now.time();
  });
  motion.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return motion;
}

Motion drive_by_events(const VehicleOnRoad& vehicle, double shortest_flight,
                       const std::vector<double>& output_times) {
  EventDrivenOptions options;
  options.shortest_flight = shortest_flight;
  options.breakpoints = {road_begins, road_ends};
  EventDriven integrator(vehicle.inclusions, vehicle.outcome, options);
  return drive(integrator, vehicle.start(), output_times);
}

std::vector<double> evenly_spaced(double step, double first, double last) {
  std::vector<double> times;
  const auto n = std::lround((last - first) / step);
  for (long i = 0; i <= n; ++i)
    times.push_back(first + (last - first) * static_cast<double>(i) / static_cast<double>(n));
  return times;
}

std::vector<double> times_of(const std::vector<ReferenceSample>& samples, double last) {
  std::vector<double> times;
  for (const ReferenceSample& sample : samples)
    if (sample.time <= last) times.push_back(sample.time);
  return times;
}

double error_of(const Motion& motion, const Vehicle& vehicle, const std::vector<ReferenceSample>& samples) {
  double error = 0;
  std::size_t n_compared = 0;
  for (const ReferenceSample& sample : samples)
    for (std::size_t i = 0; i < motion.time.size(); ++i) {
      if (std::abs(motion.time[i] - sample.time) > 1e-12) continue;
      const Vector& q = motion.displacement[i];
      error = std::max({error, std::abs(q[0] - sample.wheel), std::abs(q[1] - sample.vehicle),
                        std::abs(q[vehicle.head()] - sample.head)});
      ++n_compared;
    }
  if (n_compared == 0) throw Error("The motion has no instant in common with its reference.");
  return error;
}
