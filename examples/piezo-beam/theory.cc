// SPDX-License-Identifier: LGPL-2.1-or-later
#include "theory.h"

#include <cmath>

namespace {

const double pi = std::acos(-1.);

double square(double x) {
  return x * x;
}

}  // namespace

double coupling_factor(const Ceramic& ceramic) {
  return std::abs(ceramic.d_31) / std::sqrt(ceramic.s_11 * ceramic.epsilon_33);
}

double coupling_factor(double f_r, double f_a) {
  const double ratio = pi / 2 * f_a / f_r * std::tan(pi / 2 * (f_a - f_r) / f_r);
  return std::sqrt(ratio / (1 + ratio));
}

double shorted_frequency(const Ceramic& ceramic, double half_length) {
  return 1 / (4 * half_length * std::sqrt(ceramic.density * ceramic.s_11));
}

double open_frequency(double f_r, double k_31) {
  double low = f_r, high = 2 * f_r;  // k_31 = 0 and k_31 = 1
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (coupling_factor(f_r, middle) < k_31 ? low : high) = middle;
  }
  return low;
}

double blocked_capacitance(const Ceramic& ceramic) {
  return ceramic.epsilon_33 * (1 - 8 * square(coupling_factor(ceramic) / pi));
}

double ShuntedMode::frequency(double r) const {
  return std::sqrt((square(omega_r) + square(r * omega_a)) / (1 + square(r))) / (2 * pi);
}

double ShuntedMode::resistance(double r) const {
  return r * omega_r / (square(2 * pi * frequency(r)) * capacitance);
}

double ShuntedMode::damping_ratio(double r) const {
  return r / (1 + square(r)) * (square(omega_a) - square(omega_r)) / (2 * pi * frequency(r) * omega_r) / 2;
}

double ShuntedMode::best_r() const {
  return std::sqrt(omega_r / omega_a);
}

double ShuntedMode::half_the_largest_loss_factor() const {
  const double K_2 = square(omega_a / omega_r) - 1;
  return K_2 / (4 * std::sqrt(1 + K_2));
}
