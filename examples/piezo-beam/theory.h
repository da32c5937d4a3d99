// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "ceramic.h"

/**
 * @file
 * The textbook's bar: thin, long, driven across its thickness.
 */

/// How much of the work of a field across the bar is stored as stretching along it,
/// @f$ k_{31} = |d_{31}| / \sqrt{s_{11} \epsilon_{33}} @f$.
double coupling_factor(const Ceramic& ceramic);

/// k_31 from the frequencies of a free bar with shorted (f_r) and open (f_a) electrodes,
/// @f[ \frac{k_{31}^2}{1 - k_{31}^2} = \frac{\pi}{2} \frac{f_a}{f_r} \tan\frac{\pi (f_a - f_r)}{2 f_r} @f]
/// (IEEE Std 176-1987, section 6.4).
double coupling_factor(double f_r, double f_a);

/// f_r of a bar whose half has this length [m]: a quarter of a wave in the half [Hz].
double shorted_frequency(const Ceramic& ceramic, double half_length);

/// f_a, from the equation above [Hz].
double open_frequency(double f_r, double k_31);

/// Capacitance of the bar times thickness over length, while its first mode is blocked: all but the share
/// @f$ 8 k_{31}^2 / \pi^2 @f$, which that mode holds at rest [F/m].
double blocked_capacitance(const Ceramic& ceramic);

/**
 * One mode of a structure whose electrode discharges through a resistor: with the angular frequencies of the
 * open and the shorted mode and the capacitance C of the electrode while the mode is blocked, the charge
 * lags by R C,
 * @f[ s^2 + \omega_r^2 + (\omega_a^2 - \omega_r^2) \frac{s R C}{1 + s R C} = 0. @f]
 * Comparing the coefficients of this cubic with those of its factors shows where the oscillating roots
 * @f$ s = \omega (-\zeta \pm i \sqrt{1 - \zeta^2}) @f$ lie; with a parameter r > 0,
 * @f[ \omega^2 = \frac{\omega_r^2 + r^2 \omega_a^2}{1 + r^2}, \qquad R\, C = \frac{r\, \omega_r}{\omega^2},
 *     \qquad 2 \zeta = \frac{r}{1 + r^2} \frac{\omega_a^2 - \omega_r^2}{\omega\, \omega_r}. @f]
 * Damping is largest at @f$ r^2 = \omega_r / \omega_a @f$, where @f$ \omega^2 = \omega_r \omega_a @f$.
 */
struct ShuntedMode {
  double omega_r, omega_a;  ///< [rad/s]
  double capacitance;       ///< [F]

  double frequency(double r) const;      ///< |s| / 2 pi [Hz]
  double resistance(double r) const;     ///< [Ohm]
  double damping_ratio(double r) const;  ///< [-]

  double best_r() const;
  /// @f$ (\omega_a / \omega_r - 1) / 2 @f$.
  double best_damping_ratio() const { return (omega_a / omega_r - 1) / 2; }
  /// Half the largest loss factor, @f$ K^2 / (4 \sqrt{1 + K^2}) @f$ with the generalized coupling
  /// @f$ K^2 = \omega_a^2 / \omega_r^2 - 1 @f$ (Hagood, von Flotow 1991, for a resistive shunt; their
  /// @f$ k^2 / (2 \sqrt{1 - k^2}) @f$ with k^2 = K^2 / (1 + K^2)). Equal to best_damping_ratio() to leading
  /// order in K^2.
  double half_the_largest_loss_factor() const;
};
