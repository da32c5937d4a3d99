// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <optional>
#include <string>
#include <vector>

/**
 * A machine of mass m on a vibration absorber (Dumont, Goeleven, Rochdi 2001, example 5.1). The machine moves
 * vertically in a guide with dry friction, under a harmonic force:
 *
 * @code{.unparsed}
 *            E_0 sin(omega_0 t) - m g
 *   guide  |_________v_________|
 *   -a, b  |         m         |   q_3    inertial
 *          |___________________|
 *              |           |
 *             k_2         c_2
 *              o q_1       o q_2          algebraic, viscous: joints without mass
 *             k_1         c_1
 *   ___________|___________|_______       ground
 * @endcode
 *
 * @f[ \begin{bmatrix} 0 & & \\ & 0 & \\ & & m \end{bmatrix} \ddot q
 *   + \begin{bmatrix} 0 & & \\ & c_1 + c_2 & -c_2 \\ & -c_2 & c_2 \end{bmatrix} \dot q
 *   + \begin{bmatrix} k_1 + k_2 & & -k_2 \\ & 0 & \\ -k_2 & & k_2 \end{bmatrix} q
 *   = \begin{bmatrix} 0 \\ 0 \\ E_0 \sin\omega_0 t - m g + r \end{bmatrix}, \qquad
 *   r \in [-a, b], \quad r = -a\ (\dot q_3 > 0), \quad r = b\ (\dot q_3 < 0). @f]
 *
 * The acceleration of gravity, which the paper does not print, is 9.81 m/s^2.
 */
struct Absorber {
  std::string name;     ///< figure of the paper
  std::string file;     ///< name of the output file
  double m;             ///< [kg]
  double k_1, k_2;      ///< [N/m]
  double c_1, c_2;      ///< [N s/m]
  double E_0, omega_0;  ///< [N], [rad/s]
  double a, b;          ///< [N]
  double q_3;           ///< initial displacement, from which the machine is released [m]
  double end;           ///< end time [s]
  double g = 9.81;      ///< [m/s^2]

  /// A stop below the machine, with restitution e.
  struct Stop {
    double height;  ///< [m]
    double e;
  };
  std::optional<Stop> stop = {};

  /// Return the coefficients of the springs and of the dampers in series, which remain after the elimination
  /// of the paper (Eq. (5.1)).
  double k() const { return k_1 * k_2 / (k_1 + k_2); }
  double c() const { return c_1 * c_2 / (c_1 + c_2); }
  /// Returns S, the displacements of all DoFs for a unit displacement of the machine (Corollary 4.5).
  halfdof::Vector S() const;
  double load(double time) const;
};

/// Returns absorbers with the data of Figs. 5.2, 5.3 and 5.4.
std::vector<Absorber> absorbers_of_the_paper();

/// A reduced model with inclusions, their classification, and the initial state.
struct RubbingModel {
  halfdof::Inclusions<halfdof::EigenEngine> inclusions;
  halfdof::InclusionOutcome outcome;
  halfdof::NonsmoothState start;
};

/// Returns the model with all three DoFs, of which the library eliminates q_1 and q_2 by their null columns.
/// Initially the joint q_1 is in equilibrium, and q_2, whose initial value is arbitrary, is zero.
RubbingModel eliminated_by_null_columns(const Absorber& absorber);

/// Returns the model (5.1) of the paper with the single DoF q_3, where q = S q_3.
RubbingModel eliminated_by_hand(const Absorber& absorber);
