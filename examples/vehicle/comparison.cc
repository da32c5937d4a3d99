// SPDX-License-Identifier: LGPL-2.1-or-later
#include "comparison.h"

#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <cmath>

using namespace halfdof;

namespace {

/// Beginning and end of the comparison [s]. The vehicle is at rest until the road rises at 0.2 s.
constexpr double first = 0.19, last = 0.3;

}  // namespace

std::vector<Trial> compare_penalties(const VehicleOnRoad& vehicle, const Reference& reference) {
  std::vector<Trial> trials;
  for (const double lambda : {1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 3e-9, 1e-9}) {
    const double step = 0.05 * std::sqrt(lambda);
    YosidaPenalty integrator(vehicle.inclusions, vehicle.outcome, step, lambda);
    const Motion motion =
        drive(integrator, vehicle.start_behind_road(lambda, first), times_of(reference.samples, last));
    trials.push_back({lambda, step, error_of(motion, vehicle.vehicle, reference.samples), motion.seconds});
  }
  return trials;
}

double penalty_error(const VehicleOnRoad& vehicle, const PenaltyReference& reference, double last) {
  const double lambda = reference.lambda;
  YosidaPenalty integrator(vehicle.inclusions, vehicle.outcome, 0.02 * std::sqrt(lambda), lambda);
  const Motion motion =
      drive(integrator, vehicle.start_behind_road(lambda, first), times_of(reference.samples, last));
  return error_of(motion, vehicle.vehicle, reference.samples);
}

std::vector<Trial> compare_steps(const VehicleOnRoad& vehicle, const Reference& reference) {
  std::vector<Trial> trials;
  for (double step = 2.5e-4; step > 1e-6; step /= 2) {
    MoreauJean integrator(vehicle.inclusions, vehicle.outcome, step);
    const Motion motion = drive(integrator, vehicle.start(first), times_of(reference.samples, last));
    trials.push_back({step, step, error_of(motion, vehicle.vehicle, reference.samples), motion.seconds});
  }
  return trials;
}

std::vector<Trial> trials_below(double parameter, const std::vector<Trial>& trials) {
  std::vector<Trial> found;
  for (const Trial& trial : trials)
    if (trial.parameter < parameter) found.push_back(trial);
  return found;
}

double order_of(const std::vector<Trial>& trials) {
  const auto n = static_cast<Index>(trials.size());
  Vector x(n), y(n);
  for (Index i = 0; i < n; ++i) {
    x[i] = std::log(trials[static_cast<std::size_t>(i)].parameter);
    y[i] = std::log(trials[static_cast<std::size_t>(i)].error);
  }
  x.array() -= x.mean();
  return x.dot(y) / x.squaredNorm();
}
