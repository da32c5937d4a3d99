// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bar.h"

#include <algorithm>
#include <cmath>

double FrictionBar::slip_distance() const {
  return friction * length * length / (2 * stiffness);
}

double FrictionBar::first_force(double d) const {
  return std::min(std::sqrt(2 * stiffness * friction * d), friction * length);
}

double FrictionBar::loop_force(double amplitude, double d, bool goes_back) const {
  const double largest = first_force(amplitude);
  return goes_back ? largest - 2 * first_force((amplitude - d) / 2)
                   : 2 * first_force((amplitude + d) / 2) - largest;
}

double FrictionBar::loop_area(double amplitude) const {
  // By Masing's rule, the area of the loop is eight times the area under the curve of first loading, minus
  // the rectangle 2 amplitude x 2 force.
  const double partial = std::min(amplitude, slip_distance());
  const double under_curve =
      2. / 3 * first_force(partial) * partial + friction * length * (amplitude - partial);
  return 8 * under_curve - 4 * first_force(amplitude) * amplitude;
}
