// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

/// A pre-tensed string, clamped at x = 0 and x = L. A spring from its middle leads to a joint without mass,
/// and a damper from the joint to the ground.
struct StringModel {
  double length = 1;     ///< L [m], as in the mesh
  double tension = 100;  ///< T [N]
  double mass = 0.01;    ///< mu, per length [kg/m]
  double spring = 2000;  ///< k [N/m]
  double damper = 5;     ///< d [N s/m]
};

/**
 * Eigenvalues of the continuous string with a positive or no imaginary part, by ascending imaginary part
 * [1/s]. With the wave speed @f$ c = \sqrt{T / \mu} @f$:
 *
 * - Antisymmetric modes have a node in the middle and do not see the attachment,
 *   @f$ \lambda = 2 \pi i j c / L @f$.
 * - Symmetric modes @f$ u = \sinh(\lambda x / c) @f$, mirrored, balance the forces of both halves and of the
 *   attachment on the middle,
 *   @f[ \frac{2 T \lambda}{c} \coth\frac{\lambda L}{2 c} + \frac{k\, d\, \lambda}{k + d\, \lambda} = 0. @f]
 *   By Newton's method, the oscillating ones from the values without attachment; one more is real, in which
 *   the joint relaxes.
 *
 * @param n_pairs How many oscillating modes of each family.
 */
std::vector<halfdof::Complex> exact_eigenvalues(const StringModel& model, int n_pairs);
