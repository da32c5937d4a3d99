// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>

#include "absorber.h"
#include <complex>
#include <vector>

/**
 * The motion of the machine in closed form. While the machine slips in one direction, the solution of m q'' +
 * c q' + k q = E_0 sin(omega_0 t) - m g + r is
 * @f[ q = \frac{r - m g}{k} + \operatorname{Im} Z e^{i \omega_0 t}
 *         + \operatorname{Re} Y e^{\lambda (t - t_0)}, \qquad
 *     Z = \frac{E_0}{k - m \omega_0^2 + i c\, \omega_0}, \qquad m \lambda^2 + c \lambda + k = 0, @f]
 * The machine sticks as long as the friction can balance the other forces. The times of transitions are found
 * by bisection.
 */
class ExactMotion {
 public:
  /// Computes the motion up to absorber.end. @throws halfdof::InvalidInput unless c^2 < 4 m k
  explicit ExactMotion(const Absorber& absorber);

  struct Point {
    double q, v;
  };
  Point at(double time) const;

 private:
  /// A piece of the motion without transitions, which begins at t_0.
  struct Piece {
    double t_0;
    halfdof::ContactState state;  ///< stick, slip_forward, slip_back
    double q, v;                  ///< displacement and velocity at t_0
    double r = 0;                 ///< friction of the guide during slip
    std::complex<double> Y = 0;   ///< Y of the closed form during slip
  };

  Point at(double time, const Piece& piece) const;
  Piece slip(double time, double q, double v, bool is_forward) const;
  Piece rest(double time, double q) const;
  /// Whether a piece has ended because the velocity changes its sign, the machine hits the stop, or the
  /// machine begins to slip.
  bool is_over(double time, const Piece& piece) const;
  Piece after(double time, const Piece& piece) const;

  Absorber absorber_;
  std::complex<double> Z_, lambda_;
  std::vector<Piece> pieces_;
};
