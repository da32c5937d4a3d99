// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/integrators/radau_nodes.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/**
 * The motion within a step whose dense output has a high degree. The data contain one column, or one state,
 * for each of the eight RadauNodes. Integrals and derivatives are those of the polynomials of degree seven
 * through these values. Impacts and jumps of massless displacements happen at the ends of a step, and the
 * first and the last column contain the limits from within the step. In a step with a jump all columns
 * contain the values at the beginning.
 */
struct StepPath {
  double length = 0;  ///< Length of the step [s].
  bool contains_jump =
      false;  ///< Whether the dense output has degree 0, because the motion jumps at the end.
  /// Whether loads or prescribed motions have a kink within the step. The motion is then not a polynomial,
  /// and the error of the quadrature and of the derivatives counts as an error of the step.
  bool contains_kink = false;
  /// Whether the path obeys the laws everywhere within the step, not only at its ends.
  bool obeys_laws = true;
  std::vector<NonsmoothState> states;
  MultiVector q, load;        ///< Displacements of and loads on the free DoFs, local rows.
  MultiVector s, prescribed;  ///< Displacements H^T q and prescribed motions H_D^T q_D - h of all directions.
  MultiVector r, w;           ///< Reactions, and the rates with which the method enforced the laws.

  static MultiVector rate_of(const MultiVector& values, double length) {
    return values * RadauNodes::get().derivative() / length;
  }
  static Vector mean_of(const MultiVector& values) { return values * RadauNodes::get().quadrature(); }
  /// Returns the integral over the step of a function with these values at the nodes [s times its unit].
  double integral_of(const Vector& values) const {
    return length * RadauNodes::get().quadrature().dot(values);
  }
};

/// Returns the path of the step that ends at an observation, if this step begins at the time `begin` and its
/// dense output has the degree zero, or seven or more. Otherwise the result has no value. Collective.
/// @param reduced the system; with a StateForce the loads contain its remainder for these tangents
template <class Engine>
std::optional<StepPath> path_from(double begin, const NonsmoothObservation<Engine>& now,
                                  const ReducedSystem<Engine>& reduced);

}  // namespace halfdof::internal
