// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/functions/numerical_derivative.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace halfdof::internal {

namespace {

constexpr std::size_t n_orders = 9;  // Number of columns of the extrapolation triangle.

/// Increments f(t + h) - f(t) for repeatedly halved steps h, the coarsest step first.
struct Increments {
  double start;
  std::vector<double> steps, increments;
};

// The first step is not a short decimal fraction, so that no step ends at a zero of a function that users
// write with short decimal numbers.
Increments compute_increments(const std::function<double(double)>& function, double time) {
  constexpr int n_levels = 40;
  Increments found{function(time), {}, {}};
  double nominal = 0.0837129;
  for (int level = 0; level < n_levels; ++level, nominal /= 2) {
    const double h = (time + nominal) - time;
    if (h <= 0) break;
    found.steps.push_back(h);
    found.increments.push_back(function(time + h) - found.start);
  }
  return found;
}

// Returns the coarsest level, from which the extrapolation starts. The search goes from the finest level to
// coarser levels and ends at the first increment above 60 % of the largest increment, because coarser steps
// skip oscillations, pulses and jumps. If the increments of the finest steps exceed 60 % already, the
// function jumps at t itself, possibly by rounding, and all levels are used. A level is used only if its
// increment and the increments of all finer levels are finite.
std::size_t first_extrapolation_level(const std::vector<double>& increments) {
  std::size_t first = increments.size();
  while (first > 0 && std::isfinite(increments[first - 1]))
    --first;
  double largest = 0;
  for (std::size_t level = first; level < increments.size(); ++level)
    largest = std::max(largest, std::abs(increments[level]));
  std::size_t resolved = increments.size();
  while (resolved > first && std::abs(increments[resolved - 1]) <= 0.6 * largest)
    --resolved;
  return resolved == first || resolved + n_orders > increments.size() ? first : resolved - 1;
}

}  // namespace

// Computes the derivative by Richardson extrapolation of forward differences to h = 0. The result is the
// entry of the extrapolation triangle with the smallest difference from its two predecessors (Ridders 1982).
// A difference below the rounding errors of f and t counts as these rounding errors.
double numerical_derivative(const std::function<double(double)>& function, double time) {
  const Increments differences = compute_increments(function, time);
  const std::size_t first = first_extrapolation_level(differences.increments);
  std::array<double, n_orders> previous{}, current{};
  double best = std::numeric_limits<double>::quiet_NaN();
  double least_error = std::numeric_limits<double>::infinity();
  for (std::size_t level = first; level < differences.steps.size(); ++level) {
    const double h = differences.steps[level];
    current[0] = differences.increments[level] / h;
    const double rounding = std::numeric_limits<double>::epsilon() *
                            (std::abs(differences.start) + std::abs(time * current[0])) / h;
    double factor = 2;
    for (std::size_t order = 1; order <= std::min(level - first, n_orders - 1); ++order, factor *= 2) {
      current[order] = (factor * current[order - 1] - previous[order - 1]) / (factor - 1);
      const double error = std::max({std::abs(current[order] - current[order - 1]),
                                     std::abs(current[order] - previous[order - 1]), rounding});
      if (error < least_error) {
        least_error = error;
        best = current[order];
      }
    }
    previous = current;
  }
  return best;
}

}  // namespace halfdof::internal
