#pragma once

#include <halfdof/base/not_finite.h>
#include <halfdof/base/number_text.h>
#include <halfdof/reduction/reduced_system.h>

#include <limits>

namespace halfdof {

/// What a reduced system knows of a StateForce p: the assembled system, and its tangents at one motion.
template <class Engine>
struct StateDependence {
  /// Collective. @throws InvalidInput unless the motion has one finite entry for each local assembled DoF, if
  /// there are no such NewtonOptions, or as check_unseen_motion()
  StateDependence(const AssembledSystem<Engine>& assembled, double at_time, LiftedState motion,
                  const ReductionOptions& reduction_options);

  /// The same at another motion.
  StateDependence(const StateDependence& other, double at_time, LiftedState motion);

  /// Whether p may depend on q'', or on q': its pattern declares a mass, or a damping.
  /// Collective.
  bool has_mass() const;
  bool has_damping() const;

  /// c = p - (dp/dq'') q'' - (dp/dq') q' - (dp/dq) q, on all local assembled DoFs. Collective.
  Vector remainder(double time, const LiftedState& motion) const;

  AssembledSystem<Engine> system;  ///< with its p
  double time;                     ///< [s]
  LiftedState linearization;
  Tangents<Engine> tangents;  ///< there
  Vector remainder_there;     ///< c
  Classification kinds;       ///< declared
  ReductionOptions options;
};

/// What a StateForce is at a motion that an iteration led to: that it is not finite there is no mistake of
/// the input.
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

/// Linearized at rest in zero at t = 0, but for constrained DoFs that move. Collective.
template <class Engine>
StateDependence<Engine> state_dependence_at_rest(const AssembledSystem<Engine>& assembled,
                                                 const ReductionOptions& options);

/// The linear system of the tangents. @throws KindChange
template <class Engine>
FreeSystem<Engine> tangent_system(const StateDependence<Engine>& of_state);

}  // namespace halfdof
