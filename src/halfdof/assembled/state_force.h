#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <functional>
#include <optional>

namespace halfdof {

/// A state put back on all assembled DoFs.
struct LiftedState {
  Vector
      displacement;  ///< q, all local assembled DoFs; constrained ones at their prescribed value. Multipliers
                     ///< of constraints are those of least norm that carry what is left of the equations.
  Vector rate;       ///< q' of inertial, viscous and constrained DoFs; zero at algebraic ones (see
                     ///< ReducedSystem::algebraic_rates()), on whose rates no force may depend
  Vector acceleration;  ///< q'' of inertial and constrained DoFs; zero elsewhere
};

/// Derivatives of forces by q'', q' and q; absent: zero. Shapes: n_dofs() x n_dofs(), as M, C and K.
template <class Engine>
struct Tangents {
  using Matrix = typename Engine::Matrix;
  std::optional<Matrix> mass, damping, stiffness;
};

/**
 * Forces p that depend on the state, beside the linear ones,
 * @f[ M \ddot q + C \dot q + K q + p(q, \dot q, \ddot q, t) = f(t), @f]
 * whatever is not linear in a model: a hardening spring, a quadratic damper, an inertia that depends on the
 * position. Functions are called with motions in local assembled numbering, and, under MPI, by all processes.
 */
template <class Engine>
struct StateForce {
  /// p, one entry for each local assembled DoF.
  std::function<Vector(double time, const LiftedState& motion)> force;
  /// dp/dq'', dp/dq' and dp/dq. For a motion they need not be exact: what they miss costs iterations. For
  /// eigenvalues and responses they must be exact: ReducedSystem::about() holds them against differences of
  /// p.
  std::function<Tangents<Engine>(double time, const LiftedState& motion)> tangents;
  /// Where mass and damping may have entries, with any value but zero there: at every state the kinds of the
  /// DoFs are those of its columns together with those of M and C. A stiffness needs no pattern.
  Tangents<Engine> pattern;
  /// dp/dt of a motion that is held, needed only for the rates of algebraic DoFs: independent_of_time() where
  /// the motion alone tells p.
  std::function<Vector(double time, const LiftedState& motion)> time_derivative = {};

  /// Zero: a time_derivative.
  static Vector independent_of_time(double /*time*/, const LiftedState& motion) {
    return Vector::Zero(motion.displacement.size());
  }

  explicit operator bool() const { return static_cast<bool>(force); }
};

/// p + p'. Either may be absent. A time derivative needs those of both. What a function throws on one of the
/// processes that share the DoFs, all of them throw. Collective.
template <class Engine>
StateForce<Engine> sum(const StateForce<Engine>& first, const StateForce<Engine>& second,
                       const Partition& dofs);

/// p on the first DoFs among more. @param J Their embedding: J^T A J has A in its place
template <class Engine>
StateForce<Engine> embedded(const StateForce<Engine>& p, const typename Engine::Matrix& J);

}  // namespace halfdof
