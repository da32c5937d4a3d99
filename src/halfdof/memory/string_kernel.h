#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * The memory of a pre-tensed string (string_modes()) at one contact xi, of all its modes at once, with the
 * damping ratio D < 1 of every mode and mode 1 lifted (Szalai 2014, Eqs. (3.27) to (3.29)):
 * @f[ [L^1]_2(\tau) = \sum_k \frac{n_k^2}{\omega_{d,k}}\,\Im\left[\left(1 + \frac{C_r}{k\lambda} +
 *     \frac{K_r}{k^2\lambda^2}\right)(e^{k\lambda\tau} - 1)\right], \qquad
 *     \lambda = \pi c\,(-D + i\sqrt{1 - D^2}), @f]
 * K_r = omega_1^2, C_r = 2 D omega_1. With @f$ n_k^2 = 1 - \cos 2\pi k\xi @f$ these are polylogarithms of
 * order one to three, and of order four in the integral of L^1. L^1 jumps to its right limit arccos(D)/(pi c
 * sqrt(1 - D^2)); without damping it jumps at each reflection and has the period 2/c.
 */
class StringKernel {
 public:
  /// @param wave_speed c > 0 [1/s] @param contact 0 < xi < 1 @param damping_ratio 0 <= D < 1 @throws
  /// InvalidInput
  StringKernel(double wave_speed, double contact, double damping_ratio);

  /// [L^infinity]_2 = pi^2 xi (1 - xi).
  double L_inf() const;
  /// [L^1]_2(tau), at tau = 0 the right limit; where it jumps, the mean of both sides.
  double L_1(double tau) const;
  /// Its integral from 0 to tau.
  double L_2(double tau) const;
  /**
   * Bound of what a memory that ends at T leaves out of y', for each unit of max |r'| (memory_left_out()),
   * @f[ \int_T^\infty |[L^0]_2|\,d\tau \le \frac{2}{\pi c\,D \sqrt{1 - D^2}} \left(\tfrac54 + D\right)
   *     \left(-\ln(1 - x) - x\right), \qquad x = e^{-D \pi c T}; @f]
   * infinite without damping.
   */
  double left_out(double memory) const;
  /// K_r and C_r: A = [0, 1; -K_r, -C_r].
  double stiffness() const;
  double damping() const;

 private:
  /// sum_k n_k^2 q^k/k^s with q = e^{lambda tau}; where that of order one jumps, the mean of both sides.
  Complex sum(int s, double tau) const;

  double c_, xi_, D_;
  Complex lambda_;
};

}  // namespace halfdof
