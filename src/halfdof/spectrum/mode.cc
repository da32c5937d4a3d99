// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

const char* name_of(ModeKind kind) {
  switch (kind) {
    case ModeKind::oscillating:
      return "oscillating";
    case ModeKind::relaxing:
      return "relaxing";
    case ModeKind::growing:
      return "growing";
    case ModeKind::zero:
      break;
  }
  return "zero";
}

namespace {

ModeKind kind_of(Complex eigenvalue) {
  if (eigenvalue == 0.) return ModeKind::zero;
  if (eigenvalue.imag() != 0) return ModeKind::oscillating;
  return eigenvalue.real() < 0 ? ModeKind::relaxing : ModeKind::growing;
}

}  // namespace

Mode mode_of(Complex eigenvalue) {
  constexpr double two_pi = 6.283185307179586476925286766559;
  const Complex upper(eigenvalue.real(), std::abs(eigenvalue.imag()));
  const ModeKind kind = kind_of(eigenvalue);
  if (kind == ModeKind::zero) return {upper, kind, 0, 0, 0};
  constexpr double rounding = 100 * std::numeric_limits<double>::epsilon();
  const double modulus = std::abs(upper), damping_ratio = -upper.real() / modulus;
  return {upper, kind, upper.imag() / two_pi, modulus / two_pi,
          std::abs(damping_ratio) > rounding ? damping_ratio : 0};
}

double FrequencyBand::largest_decay() const {
  return std::min(2 * internal::pi * std::min(2 * to, 4 * (to - from)), decay_limit);
}

bool FrequencyBand::contains(Complex eigenvalue) const {
  return eigenvalue.imag() > 2 * internal::pi * from && eigenvalue.imag() < 2 * internal::pi * to &&
         std::abs(eigenvalue.real()) < largest_decay();
}

}  // namespace halfdof
