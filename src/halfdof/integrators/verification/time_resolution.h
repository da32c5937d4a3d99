// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <functional>
#include <vector>

namespace halfdof::internal {

/// The values of functions of time at instants that resolve these functions.
struct ResolvedFunctions {
  std::vector<double> times;  ///< Ascending, including both ends of the interval [s].
  MultiVector values;         ///< One column for each time.
  Vector integral;            ///< Integrals of the functions over the interval, by Simpson's rule.
};

/**
 * Samples functions of time on an adaptive grid that does not depend on the steps of an integrator. An
 * interval is halved until the values at its quarters lie on the parabola through its ends and its middle, up
 * to 1e-3 times the largest value of each function so far. Pulses that are at least as long as a quarter of
 * the longest initial interval are resolved; shorter pulses may be missed.
 */
class TimeResolution {
 public:
  using Functions = std::function<Vector(double)>;
  /// @param longest longest initial interval [s]; infinite if the whole step may be one interval
  /// @param largest returns the largest of the numbers that all processes pass
  TimeResolution(double longest, std::function<double(double)> largest);

  /// Samples the functions over begin <= t < end. The last value is the value just before the end.
  /// Collective.
  /// @param n_intervals smallest number of initial intervals
  ResolvedFunctions operator()(const Functions& functions, double begin, double end, int n_intervals);

 private:
  struct Interval;
  void resolve(const Functions& functions, const Interval& interval, int depth, ResolvedFunctions& resolved,
               std::vector<Vector>& values);

  double longest_;
  std::function<double(double)> largest_;
  Vector size_;  ///< Largest absolute value of each function so far.
};

}  // namespace halfdof::internal
