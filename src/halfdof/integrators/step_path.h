#pragma once

#include <halfdof/integrators/nonsmooth_observation.h>
#include <halfdof/integrators/radau_nodes.h>

#include <optional>
#include <vector>

namespace halfdof {

/**
 * What happens within a step that has dense output of high degree, at the eight RadauNodes: one column, or
 * one state, each. Quadrature and derivatives are those of the polynomials of degree seven through them.
 * Impacts happen at the ends of a step, and so do jumps of displacements without mass: the first and the last
 * column are those within. A step that holds a jump stays where it begins until its end.
 */
struct StepPath {
  double length = 0;  ///< [s]
  bool holds_jump = false;
  /// Loads or prescribed motions have a kink within, so that quadrature and derivatives are those of no
  /// polynomial: what they miss is an error of the step.
  bool holds_kink = false;
  /// Whether the path obeys the laws everywhere within the step, and not at its ends alone.
  bool obeys_laws = true;
  std::vector<NonsmoothState> states;
  MultiVector q, load;        ///< of the free DoFs, local rows
  MultiVector s, prescribed;  ///< H^T q and H_D^T q_D - h of all directions
  MultiVector r, w;           ///< reactions, and rates as the laws saw them

  static MultiVector rate_of(const MultiVector& values, double length) {
    return values * RadauNodes::get().derivative() / length;
  }
  static Vector mean_of(const MultiVector& values) { return values * RadauNodes::get().quadrature(); }
  /// Integral of a function with these values [s times its unit].
  double integral_of(const Vector& values) const {
    return length * RadauNodes::get().quadrature().dot(values);
  }
};

/// Nothing unless the observation is the end of a step from the time `begin` whose dense output has degree
/// seven or more, or zero. Collective.
/// @param reduced Of a system with a StateForce the loads are those beside its tangents
template <class Engine>
std::optional<StepPath> path_from(double begin, const NonsmoothObservation<Engine>& now,
                                  const ReducedSystem<Engine>& reduced);

}  // namespace halfdof
