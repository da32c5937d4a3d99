// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/eigen/engine.h>

/**
 * An elastic bar that falls on a rigid floor with its lower end x = 0, without gravity:
 * rho A u'' = E A d2u/dx2, with 0 <= h_0 + u(0, t), r >= 0, (h_0 + u(0, t)) r = 0 and E A du/dx = -r there.
 * At the impact a wave leaves the floor, stops the bar as it passes, and comes back from the upper end as one
 * that sends the bar up again; when it arrives, the bar leaves as it came.
 */
struct Bar {
  double length = 10;    ///< L [m]
  double modulus = 900;  ///< E [N/m2]
  double density = 1;    ///< rho [kg/m3]
  double section = 1;    ///< A [m2]
  double height = 5;     ///< h_0 [m], of the lower end at t = 0
  double speed = 10;     ///< -v_0 [m/s], downwards

  double wave_speed() const;     ///< c = sqrt(E / rho) = 30 m/s
  double contact_begin() const;  ///< h_0 / |v_0| = 0.5 s
  double contact_end() const;    ///< 2 L / c = 2/3 s later
  double contact_force() const;  ///< rho c A |v_0| = 300 N: constant while the bar touches
  double energy() const;         ///< rho A L v_0^2 / 2 = 500 J

  /// Displacement of the lower end [m].
  double tip(double time) const;
  /// Integral of the contact force from the start [N s]: 200 in the end, twice the momentum.
  double impulse(double time) const;
};

/// How the mass of an element goes to its two nodes.
enum class ElementMass { consistent, lumped };

/// Linear elements of equal length; DoF i is the displacement of the node at x = i L / n_elements, upwards.
halfdof::SystemDescription<halfdof::EigenEngine> assemble(const Bar& bar, halfdof::Index n_elements,
                                                          ElementMass mass);
