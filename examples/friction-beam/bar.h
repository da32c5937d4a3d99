// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/**
 * The beam as a bar, with displacements along it alone, clamped at x = 0 on a support that slides by d:
 * @f[ E'A\, u'' + q\,\mathrm{sign} = 0 \ \text{where it slips}, \qquad u = d \ \text{where it sticks.} @f]
 * Slip begins at the clamp, where the bar cannot follow, and has come to a = sqrt(2 E'A d / q) when the
 * support has slid by d for the first time. Whoever slides back meets the same curve, twice as large (Masing
 * 1926; for bars in friction joints Goodman and Klumpp 1956). Per metre of width.
 */
struct FrictionBar {
  double stiffness;  ///< E'A = E/(1 - nu^2) height [N/m]
  double friction;   ///< q, mu times the pressure [N/m^2]
  double length;     ///< [m]

  /// d at which all of it slips.
  double slip_distance() const;
  /// Friction force of a support that slides for the first time, d >= 0 [N/m].
  double first_force(double d) const;
  /// The same on the loop between -amplitude and amplitude, after the first quarter.
  double loop_force(double amplitude, double d, bool goes_back) const;
  /// Energy that a loop dissipates [J/m].
  double loop_area(double amplitude) const;
};
