// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>

#include "absorber.h"
#include <complex>
#include <vector>

/**
 * The motion of the machine without any time stepping: m q'' + c q' + k q = E_0 sin(omega_0 t) - m g + r in
 * closed form as long as it slips one way,
 * @f[ q = \frac{r - m g}{k} + \operatorname{Im} Z e^{i \omega_0 t}
 *         + \operatorname{Re} Y e^{\lambda (t - t_0)}, \qquad
 *     Z = \frac{E_0}{k - m \omega_0^2 + i c\, \omega_0}, \qquad m \lambda^2 + c \lambda + k = 0, @f]
 * and at rest as long as friction holds the other forces; the instants in between by bisection.
 */
class ExactMotion {
 public:
  /// Up to absorber.end. @throws halfdof::InvalidInput unless c^2 < 4 m k
  explicit ExactMotion(const Absorber& absorber);

  struct Point {
    double q, v;
  };
  Point at(double time) const;

 private:
  /// What the machine does from t_0 on.
  struct Piece {
    double t_0;
    halfdof::ContactState state;  ///< stick, slip_forward, slip_back
    double q, v;                  ///< at t_0
    double r = 0;                 ///< of the guide, while it slips
    std::complex<double> Y = 0;   ///< of the formula, while it slips
  };

  Point at(double time, const Piece& piece) const;
  Piece slip(double time, double q, double v, bool is_forward) const;
  Piece rest(double time, double q) const;
  /// Whether a piece is over: the machine turns, meets the stop, or is torn loose.
  bool is_over(double time, const Piece& piece) const;
  Piece after(double time, const Piece& piece) const;

  Absorber absorber_;
  std::complex<double> Z_, lambda_;
  std::vector<Piece> pieces_;
};
