// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string>

namespace halfdof {

/// The grid of the times origin + h, origin + 2 h, ... at which steps of constant length h end. The times are
/// computed by multiplication, so that rounding errors do not add up.
struct TimeGrid {
  double origin = 0;         ///< Time at which the grid begins [s].
  std::int64_t n_steps = 0;  ///< Number of steps taken since the origin.

  struct Step {
    double length, end;
    bool is_last;  ///< Whether the step ends at the limit, where a new grid begins.
  };

  /**
   * Returns the next step. It has the length h, or is shortened to end exactly at the limit. If the limit
   * differs from a point of the grid only by rounding, the step ends at the limit and keeps the length h.
   * @param integrator Name of the method in the error message
   * @throws InvalidInput if a step of the length h does not change the time `from` in double precision
   */
  Step next(const std::string& integrator, double time_step, double from, double limit) const;

  /// Returns this grid if its present point is the time `from`, and otherwise a new grid that begins at
  /// `from`.
  TimeGrid at(double from, double time_step) const;

  /// Returns the grid after a step.
  TimeGrid after(const Step& step) const;
};

}  // namespace halfdof
