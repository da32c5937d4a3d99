// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terzaghi.h"

#include <cmath>

namespace {

const double pi = std::acos(-1.);

double root(int j) {
  return (j + 0.5) * pi;
}

}  // namespace

double Terzaghi::undrained_pressure() const {
  return soil.biot * load / (soil.biot * soil.biot + soil.storage * soil.confined_modulus());
}

double Terzaghi::diffusivity() const {
  const double M = soil.confined_modulus();
  return soil.mobility * M / (soil.biot * soil.biot + soil.storage * M);
}

double Terzaghi::rate(int j) const {
  return -root(j) * root(j) * diffusivity() / (height * height);
}

template <class Term>
double Terzaghi::sum(double t, const Term& term) const {
  double sum = 0;
  for (int j = 0; j < 100000; ++j) {
    const double decay = std::exp(rate(j) * t);
    sum += decay * term(root(j));
    if (decay < 1e-18) break;
  }
  return sum;
}

double Terzaghi::pressure(double z, double t) const {
  return undrained_pressure() * sum(t, [&](double a) { return 2 / a * std::sin(a * z / height); });
}

double Terzaghi::settlement(double t) const {
  const double mean = undrained_pressure() * sum(t, [](double a) { return 2 / (a * a); });
  return height * (load - soil.biot * mean) / soil.confined_modulus();
}
