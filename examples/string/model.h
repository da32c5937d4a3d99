// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

/// A string with the tension T, clamped at x = 0 and x = L. A spring connects the middle of the string to a
/// joint without mass, and a damper connects the joint to the ground.
struct StringModel {
  double length = 1;     ///< L [m], as in the mesh
  double tension = 100;  ///< T [N]
  double mass = 0.01;    ///< mu, per length [kg/m]
  double spring = 2000;  ///< k [N/m]
  double damper = 5;     ///< d [N s/m]
};

/**
 * Returns the eigenvalues of the continuous string whose imaginary part is positive or zero, in ascending
 * order of the imaginary part [1/s]. With the wave speed @f$ c = \sqrt{T / \mu} @f$:
 *
 * - Antisymmetric modes have a node in the middle, so that the attachment has no effect on them,
 *   @f$ \lambda = 2 \pi i j c / L @f$.
 * - Symmetric modes are @f$ u = \sinh(\lambda x / c) @f$ in the left half, with the balance of forces in the
 * middle
 *   @f[ \frac{2 T \lambda}{c} \coth\frac{\lambda L}{2 c} + \frac{k\, d\, \lambda}{k + d\, \lambda} = 0. @f]
 *   Newton's method finds the oscillating modes, starting from the eigenvalues without attachment, and one
 *   real eigenvalue, which belongs to the relaxation of the joint.
 *
 * @param n_pairs Number of oscillating modes of each family
 */
std::vector<halfdof::Complex> exact_eigenvalues(const StringModel& model, int n_pairs);
