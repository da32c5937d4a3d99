// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <vector>

/**
 * A hydroelastic engine mount (Simionatto et al., section 3) with a mass m on top:
 *
 * @code{.unparsed}
 *              m                            y    inertial
 *   ___________|____________
 *   |          |           |
 *   |         C_rs        K_v
 *   |          o y_1       o y_2                 viscous, without mass
 *  K_r        K_rs      K_s | C_h
 *   |__________|___________|                     ground
 * @endcode
 *
 * @f[ \begin{bmatrix} m & & \\ & 0 & \\ & & 0 \end{bmatrix} \ddot q
 *   + \begin{bmatrix} C_{rs} & -C_{rs} & \\ -C_{rs} & C_{rs} & \\ & & C_h \end{bmatrix} \dot q
 *   + \begin{bmatrix} K_r + K_v & & -K_v \\ & K_{rs} & \\ -K_v & & K_v + K_s \end{bmatrix} q = f(t),
 *   \qquad q = (y, y_1, y_2). \qquad (33) @f]
 */
struct Mount {
  double m = 20;                                         ///< [kg]
  double K_r = 5000, K_rs = 1000, K_v = 500, K_s = 500;  ///< [N/m]
  double C_rs = 100, C_h = 300;                          ///< [N s/m]

  halfdof::MultiVector M() const;
  halfdof::MultiVector C() const;
  halfdof::MultiVector K() const;

  /// Returns the dynamic stiffness of the mount without the mass at the angular frequency omega [rad/s],
  /// which is the force divided by the displacement [N/m]. It is computed by the rules for springs and
  /// dampers in parallel and in series.
  halfdof::Complex dynamic_stiffness(double omega) const;
};

/// Returns the roots [1/s] of 3 s^4 + 40 s^3 + 1075 s^2 + 11375 s + 26250, which is three times the
/// characteristic polynomial of the mount with the default values.
std::vector<halfdof::Complex> eigenvalues_of_the_mount();

/// Returns the assembled system of dense matrices, with names for the three DoFs.
halfdof::AssembledSystem<halfdof::EigenEngine> assemble(const halfdof::MultiVector& M,
                                                        const halfdof::MultiVector& C,
                                                        const halfdof::MultiVector& K);

/// Compares three treatments of the two half DoFs: exact elimination, small added masses, and static
/// condensation. Prints the errors of the eigenvalues and the largest stable step of an explicit integrator.
void compare_alternatives(const Mount& mount);
