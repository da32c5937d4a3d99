// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include "reference.h"
#include "vehicle.h"
#include <string>
#include <vector>

/// An interval in which the wheel has no contact with the road: the times of lift-off and landing [s].
struct Flight {
  double begin, landing;
};

/// The results of a run at its output times.
struct Motion {
  std::string method;
  std::vector<double> time;                   ///< [s]
  std::vector<halfdof::Vector> displacement;  ///< displacements of all DoFs [m]
  std::vector<double> force;       ///< mean contact force since the last output, impacts included [N]
  std::vector<double> dissipated;  ///< energy dissipated by impacts [J]
  std::vector<halfdof::ContactEvent> events;
  double seconds = 0;  ///< computing time

  std::vector<halfdof::ContactEvent> impacts() const;
  Flight longest_flight() const;
  halfdof::Vector times() const;
  halfdof::Vector of(halfdof::Index dof) const;
  halfdof::Vector forces() const;
};

Motion drive(halfdof::NonsmoothIntegrator<halfdof::EigenEngine>& integrator, halfdof::NonsmoothState state,
             const std::vector<double>& output_times);

/// Integrates the motion by the event-driven integrator.
Motion drive_by_events(const VehicleOnRoad& vehicle, double shortest_flight,
                       const std::vector<double>& output_times);

/// Returns the times first, first + step, ..., last.
std::vector<double> evenly_spaced(double step, double first, double last);

/// Returns the times of a reference up to `last`.
std::vector<double> times_of(const std::vector<ReferenceSample>& samples, double last);

/// Returns the largest error of the displacements of wheel, vehicle and B at the common times of the motion
/// and the reference [m].
double error_of(const Motion& motion, const Vehicle& vehicle, const std::vector<ReferenceSample>& samples);
