// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <functional>
#include <vector>

namespace halfdof::internal {

/// Values of functions of time at instants that resolve them.
struct ResolvedFunctions {
  std::vector<double> times;  ///< Ascending, including both ends of the interval [s].
  MultiVector values;         ///< One column for each time.
  Vector integral;            ///< Integrals over the interval, by Simpson's rule.
};

/**
 * Samples functions of time on its own grid, independently of the steps of an integrator. An interval is
 * halved until the values at its quarters lie on the parabola through its ends and its middle, up to 1e-3 of
 * the largest value of each function so far. Pulses are resolved if they are at least as long as a quarter of
 * the longest initial interval; shorter ones may be missed.
 */
class TimeResolution {
 public:
  using Functions = std::function<Vector(double)>;
  /// @param longest longest initial interval [s], infinity for the whole one
  /// @param largest returns the largest of the numbers that all processes pass
  TimeResolution(double longest, std::function<double(double)> largest);

  /// Samples the functions over begin <= t < end; the last value is the one just before the end. Collective.
  /// @param n_intervals least number of initial intervals
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
