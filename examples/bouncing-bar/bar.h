// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/eigen/engine.h>

/**
 * An elastic bar that falls on a rigid floor with its lower end x = 0, without gravity:
 * rho A u'' = E A d2u/dx2, with 0 <= h_0 + u(0, t), r >= 0, (h_0 + u(0, t)) r = 0 and E A du/dx = -r at x =
 * 0. At the impact a wave starts at the lower end and stops the bar. After its reflection at the upper end,
 * the wave accelerates the bar upwards. When the reflected wave reaches the lower end, the whole bar moves
 * upwards with the speed of the fall and leaves the floor.
 */
struct Bar {
  double length = 10;    ///< L [m]
  double modulus = 900;  ///< E [N/m2]
  double density = 1;    ///< rho [kg/m3]
  double section = 1;    ///< A [m2]
  double height = 5;     ///< h_0, height of the lower end at t = 0 [m]
  double speed = 10;     ///< -v_0 [m/s], downwards

  double wave_speed() const;     ///< c = sqrt(E / rho) = 30 m/s
  double contact_begin() const;  ///< h_0 / |v_0| = 0.5 s
  double contact_end() const;    ///< end of contact, 2 L / c = 2/3 s after its beginning
  double contact_force() const;  ///< rho c A |v_0| = 300 N, which is constant during contact
  double energy() const;         ///< rho A L v_0^2 / 2 = 500 J

  /// Returns the displacement of the lower end [m].
  double tip(double time) const;
  /// Returns the integral of the contact force from the start [N s]. At the end it is 200 N s, twice the
  /// momentum.
  double impulse(double time) const;
};

/// The kind of the element mass matrix.
enum class ElementMass { consistent, lumped };

/// Assembles a model of linear elements of equal length. DoF i is the upward displacement of the node at x =
/// i L / n_elements.
halfdof::SystemDescription<halfdof::EigenEngine> assemble(const Bar& bar, halfdof::Index n_elements,
                                                          ElementMass mass);
