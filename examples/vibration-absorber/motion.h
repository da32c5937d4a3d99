// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "absorber.h"
#include "stick_intervals.h"
#include <filesystem>
#include <vector>

/// A motion of the absorber at evenly spaced times, computed by the event-driven integrator.
struct Motion {
  halfdof::Vector t;       ///< [s]
  halfdof::MultiVector q;  ///< displacements of all DoFs, one row for each time [m]
  halfdof::Vector v;       ///< rate of the machine [m/s]
  halfdof::Vector r;       ///< friction [N]
  std::vector<bool> sticks;
};

/// Integrates the motion and returns it at n + 1 times from zero to absorber.end.
Motion motion_of(const Absorber& absorber, const RubbingModel& model, int n);

/// Returns the intervals in which the machine sticks, from the events of a run.
std::vector<StickInterval> stick_intervals(const Absorber& absorber, const RubbingModel& model);

/// Writes time, displacements, rate and friction as a table.
void write_table(const Motion& motion, const std::filesystem::path& file);

/// Draws displacement, velocity and phase portrait of each machine, with one row for each machine.
void draw(const std::vector<Absorber>& absorbers, const std::vector<Motion>& motions,
          const std::filesystem::path& picture);
