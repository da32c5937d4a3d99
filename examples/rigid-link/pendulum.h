// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <vector>

/**
 * A chain of n equal masses m on rods of length l that hang from a ceiling, in small motion about rest. Each
 * mass has two coordinates, along axes that are rotated by `angle` relative to the vertical, so that each rod
 * constrains a combination of coordinates:
 *
 * @code{.unparsed}
 *   ====+====  z_0(t) = h sin(Omega t)
 *       |
 *       o  q_0, q_1
 *       |
 *       o  q_2, q_3
 *       |
 *      ...
 * @endcode
 *
 * With the displacements x_i across the rods and z_i along the rods (downwards), and the tension T_i = (n -
 * i) m g of rod i, the equations of motion are
 * @f[ m \ddot x_i + \frac{T_i}{l} (x_i - x_{i-1}) - \frac{T_{i+1}}{l} (x_{i+1} - x_i) = 0, \qquad
 *     m \ddot z_i = \mu_{i+1} - \mu_i, \qquad z_i - z_{i-1} = b_i(t), \qquad (1) @f]
 * with b_0 = z_0(t) and b_i = 0 for i > 0. The last equations are constraints A_2 q = b(t), whose multipliers
 * mu_i are the forces of the rods in addition to T_i.
 */
struct Pendulum {
  int n = 6;
  double m = 0.4;   ///< [kg]
  double l = 0.25;  ///< [m]
  double g = 9.81;  ///< [m/s^2]
  double angle = 0.6;
  double h = 0.01;   ///< [m]
  double Omega = 7;  ///< [1/s]

  /// Assembles the system with 2 n coordinates, followed by one multiplier for each rod. An additional rod
  /// from the first to the third mass is redundant.
  halfdof::AssembledSystem<halfdof::EigenEngine> assemble(bool with_redundant_rod) const;

  /// Returns the coordinates for given displacements across and along the rods.
  halfdof::Vector coordinates_of(const halfdof::Vector& x, const halfdof::Vector& z) const;
  /// Return the displacements across and along the rods for given coordinates.
  halfdof::Vector across(const halfdof::Vector& q) const;
  halfdof::Vector along(const halfdof::Vector& q) const;

  /// Returns the angular frequencies omega_k = sqrt(g x_k / l) with the zeros x_k of the Laguerre polynomial
  /// L_n (Daniel Bernoulli, 1738) [1/s].
  std::vector<double> frequencies() const;
  /// Returns the force of the rod above mass i in addition to its tension at rest, -(n - i) m z_0'' with z
  /// downwards.
  double force_of_rod(int i, double time) const;
};
