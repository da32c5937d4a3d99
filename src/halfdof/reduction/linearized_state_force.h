// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/reduction/reduced_system.h>

#include <limits>

namespace halfdof::internal {

/// The state force p of a reduced system: the assembled system with p, and the linearization of p at
/// one motion.
template <class Engine>
struct LinearizedStateForce {
  /// Linearizes p at a motion. Collective. @throws InvalidInput unless the motion has one finite entry
  /// for each local assembled DoF, if NewtonOptions are out of range, or as
  /// check_force_depends_on_states_only()
  LinearizedStateForce(const AssembledSystem<Engine>& assembled, double at_time, AssembledMotion motion,
                       const ReductionOptions& reduction_options);

  /// Linearizes the same state force at another motion.
  LinearizedStateForce(const LinearizedStateForce& other, double at_time, AssembledMotion motion);

  /// Returns whether p may depend on q'', because its pattern declares a mass. has_damping() tells the same
  /// of q'. Collective.
  bool has_mass() const;
  bool has_damping() const;

  /// Computes the remainder c = p - (dp/dq'') q'' - (dp/dq') q' - (dp/dq) q of the linearization on all
  /// local assembled DoFs. Collective.
  Vector remainder(double time, const AssembledMotion& motion) const;

  AssembledSystem<Engine> system;  ///< the assembled system with its state force p
  double time;                     ///< time of the linearization [s]
  AssembledMotion linearization;   ///< motion at which p is linearized
  Tangents<Engine> tangents;       ///< derivatives of p at the linearization
  Vector linearization_remainder;  ///< remainder c at the linearization
  Classification kinds;            ///< kinds of DoFs that the pattern of p declares
  ReductionOptions options;
};

/// Evaluates a StateForce at an iterate. A force that is not finite at an iterate does not mean that
/// the input is wrong, so that the iteration is reported as not convergent.
/// @throws NoConvergence in place of NotFinite
template <class Evaluate>
auto evaluate_at_iterate(double time, const Evaluate& evaluate) {
  try {
    return evaluate();
  } catch (const NotFinite& error) {
    throw NoConvergence("At t = " + number_text(time) +
                            " an iteration reached a motion at which the state force is not finite. " +
                            error.what() +
                            " Take shorter steps, start nearer to the solution, or define the force there.",
                        std::numeric_limits<double>::quiet_NaN());
  }
}

/// Checks the kinds of DoFs at one linearization. @throws KindChange if a declared mass or damping is null
template <class Engine>
void check_declared_kinds(const LinearizedStateForce<Engine>& of_state);

/// Linearizes the state force of a system at t = 0, with zero displacements, rates and accelerations of
/// all DoFs except constrained DoFs, which have their prescribed motion. Collective.
template <class Engine>
LinearizedStateForce<Engine> state_force_linearized_at_rest(const AssembledSystem<Engine>& assembled,
                                                            const ReductionOptions& options);

/// Returns the linear system with the tangents of the state force added to M, C and K. @throws
/// KindChange
template <class Engine>
FreeSystem<Engine> tangent_system(const LinearizedStateForce<Engine>& of_state);

}  // namespace halfdof::internal
