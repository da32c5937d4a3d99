// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "absorber.h"
#include "stick_intervals.h"
#include <filesystem>
#include <vector>

/// A motion of the absorber at equal distances in time, by the event-driven integrator.
struct Motion {
  halfdof::Vector t;       ///< [s]
  halfdof::MultiVector q;  ///< displacements of all DoFs, one row for each time [m]
  halfdof::Vector v;       ///< rate of the machine [m/s]
  halfdof::Vector r;       ///< friction [N]
  std::vector<bool> sticks;
};

/// At n + 1 times from zero to absorber.end.
Motion motion_of(const Absorber& absorber, const RubbingModel& model, int n);

/// When the guide holds the machine, from the events of a run.
std::vector<StickInterval> stick_intervals(const Absorber& absorber, const RubbingModel& model);

/// Time, displacements, rate and friction as a table.
void write_table(const Motion& motion, const std::filesystem::path& file);

/// Displacement, velocity and phase portrait of each machine, a row for each.
void draw(const std::vector<Absorber>& absorbers, const std::vector<Motion>& motions,
          const std::filesystem::path& picture);
