// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/reduction/reduced_system.h>

#include <limits>

namespace halfdof::internal {

/// The state force p of a reduced system: the assembled system with p, and the tangents of p at one motion.
template <class Engine>
struct StateDependence {
  /// Collective. @throws InvalidInput unless the motion has one finite entry for each local assembled DoF, if
  /// NewtonOptions are out of range, or as check_force_depends_on_states_only()
  StateDependence(const AssembledSystem<Engine>& assembled, double at_time, AssembledMotion motion,
                  const ReductionOptions& reduction_options);

  /// Linearizes the same state force at another motion.
  StateDependence(const StateDependence& other, double at_time, AssembledMotion motion);

  /// Whether p may depend on q'' (on q'), because its pattern declares a mass (a damping). Collective.
  bool has_mass() const;
  bool has_damping() const;

  /// Computes c = p - (dp/dq'') q'' - (dp/dq') q' - (dp/dq) q on all local assembled DoFs. Collective.
  Vector remainder(double time, const AssembledMotion& motion) const;

  AssembledSystem<Engine> system;  ///< including p
  double time;                     ///< [s]
  AssembledMotion linearization;
  Tangents<Engine> tangents;  ///< at the linearization
  Vector remainder_there;     ///< c at the linearization
  Classification kinds;       ///< declared kinds
  ReductionOptions options;
};

/// Evaluates a StateForce at an iterate. A force that is not finite there does not mean that the input is
/// wrong, so the iteration is reported as not convergent.
/// @throws NoConvergence in place of NotFinite
template <class Evaluate>
auto at_trial(double time, const Evaluate& evaluate) {
  try {
    return evaluate();
  } catch (const NotFinite& error) {
    throw NoConvergence("At t = " + number_text(time) +
                            " an iteration went to a motion at which the state force cannot be evaluated. " +
                            error.what() +
                            " Take shorter steps, start nearer to the solution, or define the force there.",
                        std::numeric_limits<double>::quiet_NaN());
  }
}

/// Linearizes at rest in zero at t = 0; only constrained DoFs have their prescribed motion. Collective.
template <class Engine>
StateDependence<Engine> state_dependence_at_rest(const AssembledSystem<Engine>& assembled,
                                                 const ReductionOptions& options);

/// Returns the linear system with the tangents. @throws KindChange
template <class Engine>
FreeSystem<Engine> tangent_system(const StateDependence<Engine>& of_state);

}  // namespace halfdof::internal
