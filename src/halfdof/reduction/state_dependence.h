#pragma once

#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/// What a reduced system knows of a StateForce p: the assembled system, and its tangents at one motion.
template <class Engine>
struct StateDependence {
  /// Collective. @throws InvalidInput unless the motion has one finite entry for each local assembled DoF, or as
  /// check_unseen_motion()
  StateDependence(const AssembledSystem<Engine>& assembled, double at_time, LiftedState motion,
                  const ReductionOptions& reduction_options);

  /// The same at another motion.
  StateDependence(const StateDependence& other, double at_time, LiftedState motion);

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

/// Linearized at rest in zero at t = 0, but for constrained DoFs that move. Collective.
template <class Engine>
StateDependence<Engine> state_dependence_at_rest(const AssembledSystem<Engine>& assembled,
                                                 const ReductionOptions& options);

/// The linear system of the tangents. @throws KindChange
template <class Engine>
FreeSystem<Engine> tangent_system(const StateDependence<Engine>& of_state);

}  // namespace halfdof
