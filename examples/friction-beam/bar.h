// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/**
 * An elastic bar with axial displacements only, as a model of the beam. The bar is clamped at x = 0, on a
 * support that slides by d:
 * @f[ E'A\, u'' + q\,\mathrm{sign} = 0 \ \text{where the bar slips}, \qquad u = d \ \text{where the bar
 *     sticks.} @f]
 * Slip begins at the clamp. When the support slides by d for the first time, the points with x < a = sqrt(2
 * E'A d / q) slip. After a reversal, the force follows the curve of first loading, enlarged by the factor two
 * (Masing 1926; for bars in friction joints Goodman and Klumpp 1956). All forces are per metre of width.
 */
struct FrictionBar {
  double stiffness;  ///< E'A = E/(1 - nu^2) height [N/m]
  double friction;   ///< q, mu times the pressure [N/m^2]
  double length;     ///< [m]

  /// Returns the slide d at which the whole bar slips.
  double slip_distance() const;
  /// Returns the friction force during the first slide of the support, d >= 0 [N/m].
  double first_force(double d) const;
  /// Returns the friction force on the steady loop between -amplitude and amplitude [N/m].
  double loop_force(double amplitude, double d, bool goes_back) const;
  /// Returns the energy that is dissipated in a loop [J/m].
  double loop_area(double amplitude) const;
};
