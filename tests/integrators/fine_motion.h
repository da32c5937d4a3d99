// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <algorithm>
#include <functional>

namespace halfdof::test {

/// The zero of a function that is negative at `low` and positive at `high`, or the other way round.
template <class Function>
double zero_between(double low, double high, const Function& f) {
  const bool is_rising = f(high) > 0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    ((f(middle) < 0) == is_rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// An independent reference: the classical Runge-Kutta method with small steps.
struct FineMotion {
  std::function<Vector(double, const Vector&)> rate;
  double step;

  Vector after(double t, const Vector& y, double h) const {
    const Vector k_1 = rate(t, y), k_2 = rate(t + h / 2, y + h / 2 * k_1),
                 k_3 = rate(t + h / 2, y + h / 2 * k_2), k_4 = rate(t + h, y + h * k_3);
    return y + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4);
  }

  /// Moves a point to the instant at which something becomes negative, or to the end.
  /// @return whether it did
  bool follow(State& point, double end, const std::function<double(double, const Vector&)>& lasts) const {
    while (point.time < end) {
      const double h = std::min(step, end - point.time);
      const auto at = [&](double part) { return after(point.time, point.y, part); };
      const Vector next = at(h);
      if (lasts(point.time + h, next) < 0) {
        const double part =
            zero_between(0., h, [&](double x) { return lasts(point.time + x, at(x)) < 0 ? -1. : 1.; });
        point = {point.time + part, at(part)};
        return true;
      }
      point = {h < step ? end : point.time + h, next};
    }
    return false;
  }
};

}  // namespace halfdof::test
