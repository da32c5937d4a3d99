#pragma once

#include <halfdof/base/types.h>

#include <functional>
#include <vector>

namespace halfdof {

/// Values of functions of time at instants that resolve them. The integral is that of parabolas.
struct ResolvedFunctions {
  std::vector<double> times;  ///< ascending, both ends of the interval among them [s]
  MultiVector values;         ///< one column for each time
  Vector integral;
};

/**
 * Samples functions of time on a grid of its own, whatever the steps of an integrator are: an interval is
 * halved until its quarters lie on the parabola through its ends and its middle, up to 1e-3 of the largest
 * value of each function so far. Pulses are resolved that are as long as a quarter of the longest interval to
 * begin with; what is shorter may be missed.
 */
class TimeResolution {
 public:
  using Functions = std::function<Vector(double)>;
  /// @param longest Interval to begin with [s], infinity for the whole one
  /// @param largest Of a number that each process has, the largest of all
  TimeResolution(double longest, std::function<double(double)> largest);

  /// Functions over begin <= t < end: the last value is that just ahead of the end. Collective.
  /// @param n_intervals To begin with, at least
  ResolvedFunctions operator()(const Functions& functions, double begin, double end, int n_intervals);

 private:
  struct Interval;
  void resolve(const Functions& functions, const Interval& interval, int depth, ResolvedFunctions& resolved,
               std::vector<Vector>& values);

  double longest_;
  std::function<double(double)> largest_;
  Vector size_;  ///< of each function, the largest value so far
};

}  // namespace halfdof
