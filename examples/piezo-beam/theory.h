// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "ceramic.h"

/**
 * @file
 * The textbook theory of a thin, long piezoelectric bar with an electric field across its thickness.
 */

/// Returns the electromechanical coupling factor @f$ k_{31} = |d_{31}| / \sqrt{s_{11} \epsilon_{33}} @f$. Its
/// square is the part of the electric energy that is converted to elastic energy of longitudinal strain.
double coupling_factor(const Ceramic& ceramic);

/// Returns k_31 from the frequencies of a free bar with shorted (f_r) and open (f_a) electrodes,
/// @f[ \frac{k_{31}^2}{1 - k_{31}^2} = \frac{\pi}{2} \frac{f_a}{f_r} \tan\frac{\pi (f_a - f_r)}{2 f_r} @f]
/// (IEEE Std 176-1987, section 6.4).
double coupling_factor(double f_r, double f_a);

/// Returns f_r of a free bar [Hz], for which half of the bar has the length of a quarter of a wave. @param
/// half_length Half of the length [m]
double shorted_frequency(const Ceramic& ceramic, double half_length);

/// Returns f_a from the equation of coupling_factor(f_r, f_a) [Hz].
double open_frequency(double f_r, double k_31);

/// Returns the capacitance of the bar with its first mode blocked, times thickness over length [F/m]. The
/// blocked mode reduces the static capacitance by the part @f$ 8 k_{31}^2 / \pi^2 @f$.
double blocked_capacitance(const Ceramic& ceramic);

/**
 * One mode of a structure whose electrode is connected to the ground by a resistor R. With the angular
 * frequencies omega_a of the open and omega_r of the shorted mode, and the capacitance C of the electrode
 * with the mode blocked, the eigenvalues s are the roots of
 * @f[ s^2 + \omega_r^2 + (\omega_a^2 - \omega_r^2) \frac{s R C}{1 + s R C} = 0. @f]
 * This equation is cubic in s. A comparison of its coefficients with those of its factors gives the complex
 * roots
 * @f$ s = \omega (-\zeta \pm i \sqrt{1 - \zeta^2}) @f$ as functions of a parameter r > 0,
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
  /// Returns the largest damping ratio, @f$ (\omega_a / \omega_r - 1) / 2 @f$.
  double best_damping_ratio() const { return (omega_a / omega_r - 1) / 2; }
  /// Returns half the largest loss factor, @f$ K^2 / (4 \sqrt{1 + K^2}) @f$ with the generalized coupling
  /// @f$ K^2 = \omega_a^2 / \omega_r^2 - 1 @f$ (Hagood, von Flotow 1991, for a resistive shunt; their
  /// @f$ k^2 / (2 \sqrt{1 - k^2}) @f$ with k^2 = K^2 / (1 + K^2)). The value equals best_damping_ratio() to
  ///     leading order in K^2.
  double half_the_largest_loss_factor() const;
};
