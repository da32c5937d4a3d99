// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include "reference.h"
#include "vehicle.h"
#include <string>
#include <vector>

/// An interval in which the wheel is off the road: the times of lift-off and landing [s].
struct Flight {
  double begin, landing;
};

/// What a run has shown at its output times.
struct Motion {
  std::string method;
  std::vector<double> time;                   ///< [s]
  std::vector<halfdof::Vector> displacement;  ///< of all DoFs [m]
  std::vector<double> force;       ///< mean contact force since the last output, impacts included [N]
  std::vector<double> dissipated;  ///< by impacts [J]
  std::vector<halfdof::ContactEvent> events;
  double seconds = 0;  ///< of computing

  std::vector<halfdof::ContactEvent> impacts() const;
  Flight longest_flight() const;
  halfdof::Vector times() const;
  halfdof::Vector of(halfdof::Index dof) const;
  halfdof::Vector forces() const;
};

Motion drive(halfdof::NonsmoothIntegrator<halfdof::EigenEngine>& integrator, halfdof::NonsmoothState state,
             const std::vector<double>& output_times);

/// The event-driven integrator.
Motion drive_by_events(const VehicleOnRoad& vehicle, double shortest_flight,
                       const std::vector<double>& output_times);

/// first, first + step, ..., last
std::vector<double> every(double step, double first, double last);

/// The instants of a reference until `last`.
std::vector<double> times_of(const std::vector<ReferenceSample>& samples, double last);

/// Largest difference of wheel, vehicle and B at the instants of the reference that the motion has shown [m].
double error_of(const Motion& motion, const Vehicle& vehicle, const std::vector<ReferenceSample>& samples);
