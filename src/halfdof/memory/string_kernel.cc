// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/memory/polylogarithm.h>
#include <halfdof/memory/sampled_memory.h>

#include <cmath>

namespace halfdof {

using namespace internal;

StringKernel::StringKernel(double wave_speed, double contact, double damping_ratio)
    : c_(wave_speed),
      xi_(contact),
      D_(damping_ratio),
      lambda_(pi * c_ * Complex(-D_, std::sqrt(1 - D_ * D_))) {
  if (!(wave_speed > 0) || std::isinf(wave_speed))
    throw InvalidInput("The wave speed of the string is " + number_text(wave_speed) +
                       ", but must be positive and finite.");
  if (!(contact > 0 && contact < 1))
    throw InvalidInput("The contact of the string has the position " + number_text(contact) +
                       ", but must lie between the ends of the string, 0 and 1.");
  if (!(damping_ratio >= 0 && damping_ratio < 1))
    throw InvalidInput(
        "The damping ratio of the string is " + number_text(damping_ratio) +
        ", but must be at least 0 and below 1. For other damping ratios give string_modes() to the "
        "integrator ModalMemory.");
}

double StringKernel::L_inf() const {
  return pi * pi * xi_ * (1 - xi_);
}

double StringKernel::stiffness() const {
  return std::pow(pi * c_, 2);
}

double StringKernel::damping() const {
  return 2 * D_ * pi * c_;
}

Complex StringKernel::mode_sum(int s, double tau) const {
  const Complex mu = lambda_ * tau, shift(0, 2 * pi * xi_);
  const auto term = [&](Complex exponent) -> Complex {
    // Im Li_1(e^{i theta}) is a sawtooth function with the value (pi - theta)/2 for 0 < theta < 2 pi. At the
    // jump the mean of both limits, zero, is returned.
    const bool jumps =
        s == 1 && D_ == 0 && std::abs(std::remainder(exponent.imag(), 2 * pi)) < 1e-13 * (1 + std::abs(mu));
    return jumps ? 0. : polylogarithm(s, exponent);
  };
  return term(mu) - (term(mu + shift) + term(mu - shift)) / 2.;
}

double StringKernel::omitted_memory(double memory) const {
  if (!(memory >= 0))
    throw InvalidInput("The length of the memory is " + number_text(memory) +
                       " s, but must not be negative.");
  const double x = std::exp(-D_ * pi * c_ * memory);
  return 2 * (1.25 + D_) / (pi * c_ * D_ * std::sqrt(1 - D_ * D_)) * (-std::log1p(-x) - x);
}

double StringKernel::L_1(double tau) const {
  const double scale = 1 / (pi * c_ * std::sqrt(1 - D_ * D_));
  if (tau == 0) return scale * std::acos(D_);
  const Complex a = damping() / lambda_, b = stiffness() / (lambda_ * lambda_);
  // The first sum has no term for tau = 0, because -1 in the factor e^{k lambda tau} - 1 has no imaginary
  // part.
  return scale * (mode_sum(1, tau).imag() + (a * (mode_sum(2, tau) - mode_sum(2, 0))).imag() +
                  (b * (mode_sum(3, tau) - mode_sum(3, 0))).imag());
}

double StringKernel::L_2(double tau) const {
  const double scale = 1 / (pi * c_ * std::sqrt(1 - D_ * D_));
  const Complex a = damping() / lambda_, b = stiffness() / (lambda_ * lambda_);
  const Complex grown = (mode_sum(2, tau) - mode_sum(2, 0)) + a * (mode_sum(3, tau) - mode_sum(3, 0)) +
                        b * (mode_sum(4, tau) - mode_sum(4, 0));
  return scale * ((grown / lambda_).imag() - tau * (a * mode_sum(2, 0) + b * mode_sum(3, 0)).imag());
}

}  // namespace halfdof
