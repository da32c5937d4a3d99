// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/memory/polylogarithm.h>

#include <array>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// Returns the Riemann zeta function zeta(n) for n <= 4, n != 1: closed forms for n = 0, 2 and 4, Apery's
/// constant for n = 3, and the functional equation for n < 0.
double zeta(int n) {
  constexpr double apery = 1.2020569031595942854;
  switch (n) {
    case 4:
      return std::pow(pi, 4) / 90;
    case 3:
      return apery;
    case 2:
      return pi * pi / 6;
    case 0:
      return -0.5;
    default:
      break;
  }
  if (n % 2 == 0) return 0;
  // zeta(1 - 2j) = (-1)^j 2 (2j)! zeta(2j)/((2 pi)^{2j} 2j)
  const int two_j = 1 - n;
  double sum = 0;
  for (int k = 1000; k >= 1; --k)
    sum += std::pow(k, -two_j);
  if (two_j == 2) sum = pi * pi / 6;
  if (two_j == 4) sum = std::pow(pi, 4) / 90;
  const double factor = 2 * std::tgamma(two_j + 1.) * sum / (std::pow(2 * pi, two_j) * two_j);
  return two_j / 2 % 2 == 0 ? factor : -factor;
}

/// Returns mu plus a multiple of 2 pi i, with an imaginary part between -pi and pi.
Complex with_principal_imaginary_part(Complex mu) {
  return {mu.real(), std::remainder(mu.imag(), 2 * pi)};
}

/// Returns Li_s(e^mu) by its series around mu = 0.
Complex series_around_one(int s, Complex mu) {
  static const std::array<double, 64> zetas = [] {
    std::array<double, 64> all{};
    for (int i = 0; i < 64; ++i)
      all[static_cast<std::size_t>(i)] = 4 - i == 1 ? 0. : zeta(4 - i);
    return all;
  }();
  double harmonic = 0;
  for (int k = 1; k < s; ++k)
    harmonic += 1. / k;
  Complex sum = 0, power = 1;  // mu^k/k!
  for (int k = 0; k < 60; ++k) {
    if (k == s - 1)
      sum += power * (harmonic - std::log(-mu));
    else
      sum += power * zetas[static_cast<std::size_t>(4 - s + k)];
    power *= mu / (k + 1.);
  }
  return sum;
}

}  // namespace

Complex polylogarithm(int s, Complex mu) {
  mu = with_principal_imaginary_part(mu);
  if (mu == 0.) return s == 1 ? Complex(std::numeric_limits<double>::infinity(), 0.) : Complex(zeta(s));
  if (mu.real() > -1) return series_around_one(s, mu);
  if (s == 1) return -std::log(1. - std::exp(mu));
  Complex sum = 0, power = 1;
  const Complex q = std::exp(mu);
  for (int k = 1; k <= 40; ++k) {
    power *= q;
    sum += power / std::pow(static_cast<double>(k), s);
  }
  return sum;
}

}  // namespace halfdof::internal
