// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/eigen/engine.h>

/**
 * An engine of mass m on a mount with a hardening rubber stop and with an orifice through which oil flows:
 *
 * @code{.unparsed}
 *              m                                        y    inertial
 *   ___________|________________________
 *   |          |           |           |
 *   |         C_rs        K_v         K_b
 *   |          o y_1       o y_2       o y_3            without mass: viscous, viscous, algebraic
 *  K_r        K_rs       K_s | oil    bump stop
 *   |__________|___________|___________|                ground
 * @endcode
 *
 * @f[ \text{oil: } C_h \dot y_2 + D_h \dot y_2 |\dot y_2|, \qquad
 *     \text{bump stop: } K_s' y_3 + K_3\,y_3^3. @f]
 * The nonlinear terms with D_h and K_3 are given as a state force; all other terms are linear. The engine has
 * an unbalance, f(t) = -m g + F sin(Omega t).
 */
struct HardeningMount {
  double m = 20;                                          ///< [kg]
  double K_r = 5000, K_rs = 1000, K_v = 4000, K_s = 500;  ///< [N/m]
  double C_rs = 100, C_h = 20;                            ///< [N s/m]
  double D_h = 3000;                                      ///< [N s^2/m^2]
  double K_b = 20000, K_stop = 2000;                      ///< [N/m]
  double K_3 = 2e7;                                       ///< [N/m^3]
  double weight = 196.2, F = 150, Omega = 16;             ///< [N], [N], [rad/s]

  double load(double time) const;
  /// Returns the sum of the forces of all springs and dampers at each node, computed element by element [N].
  halfdof::Vector forces(const halfdof::Vector& q, const halfdof::Vector& v) const;
  /// Return the tangent stiffness of the term with K_3 [N/m] and the tangent damping of the term with D_h [N
  /// s/m].
  double tangent_stiffness(double y_3) const { return 3 * K_3 * y_3 * y_3; }
  double tangent_damping(double v_2) const;
  /// Returns the dynamic stiffness of the mount without the mass at omega [rad/s], for small motions about an
  /// equilibrium at y_3 [N/m]. It is computed by the rules for springs and dampers in parallel and in series.
  halfdof::Complex dynamic_stiffness(double omega, double y_3) const;

  halfdof::AssembledSystem<halfdof::EigenEngine> assemble() const;
  /// Assembles the mount under a constant load on the engine [N].
  halfdof::AssembledSystem<halfdof::EigenEngine> assemble_under(double constant) const;

 private:
  halfdof::StateForce<halfdof::EigenEngine> state_force() const;
};

/// Integrates the unreduced equations by the DAE solver IDA of SUNDIALS. Returns (y, y_1, y_2, y_3), one row
/// for each time.
halfdof::MultiVector unreduced_motion(const HardeningMount& mount, const halfdof::Vector& q_0,
                                      const halfdof::Vector& times);
