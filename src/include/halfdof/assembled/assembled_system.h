// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// Displacements, rates and accelerations of all assembled DoFs in one state.
struct AssembledMotion {
  /// q of all local assembled DoFs. Constrained DoFs have their prescribed values. Multipliers of constraints
  /// have the values of least norm that balance the residual of the other terms.
  Vector displacement;
  /// q' of inertial, viscous and constrained DoFs. The entries of algebraic DoFs are zero, because no force
  /// may depend on their rates, which ReducedSystem::algebraic_rates() computes.
  Vector rate;
  Vector acceleration;  ///< q'' of inertial and constrained DoFs; the entries of all other DoFs are zero
};

/// Derivatives of forces with respect to q'' (mass), q' (damping) and q (stiffness). A missing matrix is
/// zero. Shapes: n_dofs() x n_dofs().
template <class Engine>
struct Tangents {
  using Matrix = typename Engine::Matrix;
  std::optional<Matrix> mass, damping, stiffness;
};

/**
 * State-dependent forces p in addition to the linear terms,
 * @f[ M \ddot q + C \dot q + K q + p(q, \dot q, \ddot q, t) = f(t), @f]
 * for all nonlinear parts of a model: a hardening spring, a quadratic damper, an inertia that depends on the
 * position. The library calls the functions with motions in local assembled numbering, and under MPI on all
 * processes.
 */
template <class Engine>
struct StateForce {
  /// Returns p, one entry for each local assembled DoF.
  std::function<Vector(double time, const AssembledMotion& motion)> force;
  /// Returns dp/dq'', dp/dq' and dp/dq. For integration in time, approximate tangents suffice, at the cost of
  /// more iterations. For eigenvalues and responses, the tangents must be exact: ReducedSystem::about()
  /// compares them with difference quotients of p.
  std::function<Tangents<Engine>(double time, const AssembledMotion& motion)> tangents;
  /// Matrices with a nonzero entry (of any value) wherever the tangent mass and damping may have a nonzero
  /// entry. The columns of these matrices and of M and C determine the kinds of the DoFs, which are the same
  /// at every state. The tangent stiffness needs no pattern.
  Tangents<Engine> pattern;
  /// Returns dp/dt at constant q, q' and q''. It is needed only for the rates of algebraic DoFs. Set it to
  /// independent_of_time() if p does not depend explicitly on time.
  std::function<Vector(double time, const AssembledMotion& motion)> time_derivative = {};

  /// Returns zero: the time_derivative of forces that do not depend explicitly on time.
  static Vector independent_of_time(double /*time*/, const AssembledMotion& motion) {
    return Vector::Zero(motion.displacement.size());
  }

  explicit operator bool() const { return static_cast<bool>(force); }
};

/// Returns the sum of two state forces, each of which may be absent. The sum has a time derivative if both
/// state forces have a time derivative. If a function throws an exception on one process, the sum throws it
/// on all processes that share the DoFs. Collective.
template <class Engine>
StateForce<Engine> sum(const StateForce<Engine>& first, const StateForce<Engine>& second,
                       const Partition& dofs);

/// Returns p for an enlarged system, in which additional DoFs follow the DoFs of p.
/// @param J The matrix that selects the DoFs of p from all DoFs: J^T A J is the matrix A enlarged by zeros
template <class Engine>
StateForce<Engine> embedded(const StateForce<Engine>& p, const typename Engine::Matrix& J);

/// A vector that depends on time [s].
using TimeFunction = std::function<Vector(double time)>;

/**
 * Motion q_D(t) of the constrained DoFs (a road, a shaker, a bow), in the order of the list of constrained
 * DoFs. A model needs q_D if K has entries in free rows and constrained columns, q_D' if C has, and q_D'' if
 * M has. An error is thrown if a needed function is missing. If no function is given, the constrained DoFs
 * rest at zero.
 */
struct PrescribedMotion {
  TimeFunction value;         ///< q_D
  TimeFunction rate;          ///< q_D'
  TimeFunction acceleration;  ///< q_D''
  /// q_D''', needed only for the rates of algebraic DoFs where M couples free rows to constrained DoFs.
  TimeFunction jerk = {};

  /// Whether any function is given; otherwise the constrained DoFs rest at zero.
  bool moves() const { return value || rate || acceleration; }
};

/**
 * Names and positions that an application gives to its degrees of freedom, for reports and error messages.
 * Every list is optional. A list for DoFs is empty or has one entry for each local assembled DoF.
 */
struct DoFLabels {
  std::vector<std::string> component_names;  ///< "x", "y", "phi", ...
  std::vector<Index> component;              ///< index into component_names
  std::vector<GlobalIndex> node;             ///< number of the node or vertex; -1: none
  std::vector<std::array<double, 3>> point;  ///< support points; unused coordinates zero, NaN: none
  int dimension = 0;                         ///< number of coordinates of a point that are shown
  std::vector<Index> constraint = {};        ///< row of the constraint that a multiplier belongs to; -1: none

  /// Describes a DoF: "DoF 17 (node 6, x, at (0.1, 0.2))" or "DoF 18 (multiplier, constraint 0)".
  /// @param local,global The local and the global number of the same assembled DoF
  std::string describe(Index local, GlobalIndex global) const;

  /// Returns the name of the component of a local DoF, or "" if the DoF has no component.
  std::string component_name(Index local) const;
};

/// The data of a system after assembly, which an application gives to the library. AssembledSystem validates
/// the data.
template <class Engine>
struct SystemDescription {
  using Matrix = typename Engine::Matrix;

  std::optional<Matrix> mass;      ///< M; absent: zero
  std::optional<Matrix> damping;   ///< C; absent: zero
  Matrix stiffness;                ///< K
  std::vector<Index> constrained;  ///< local assembled indices, any order, without repetition
  TimeFunction load;               ///< f(t), one entry for each local assembled DoF; absent: zero
  TimeFunction load_rate;          ///< f'(t), which only the rates of algebraic DoFs need
  PrescribedMotion prescribed;     ///< absent: constrained DoFs rest at zero
  /// Local DoFs that are multipliers of constraints, in any order and without repetition. The equations of
  /// these DoFs are the constraints A_1 q' + A_2 q = b. Only multipliers with a nonzero b need to be listed;
  /// with_constraints() lists the multipliers that it adds.
  std::vector<Index> multipliers;
  PrescribedMotion right_sides;    ///< b(t) of the multipliers, in the order of the list; added to the load
  StateForce<Engine> state_force;  ///< p; absent: the system is linear
  DoFLabels labels;
  /// The near null space of K: motions of small strain energy, such as rigid_motions(), from which algebraic
  /// multigrid builds its coarse spaces. Shape: local assembled DoFs x k, with the same k on all processes.
  /// The matrix may be empty.
  MultiVector near_null_space = {};
};

/**
 * The assembled second-order system
 * @f[ M \ddot q + C \dot q + K q = f(t) \qquad (1) @f]
 * with M, C, K square, of equal size, sparse, possibly unsymmetric and possibly singular. If a StateForce
 * p is given, the term p(q, q', q'', t) is added to the left side.
 *
 * Shapes: all matrices are n_dofs() x n_dofs(); vectors hold the local entries of n_dofs() entries. Units:
 * any consistent units. Numbering: assembled, 0-based. Objects are constant after construction and cheap to
 * copy.
 *
 * @throws InvalidInput if the system is empty, a matrix is not square, sizes or distributions differ, an
 * entry is NaN or infinite (named by row and column), a constrained index or a multiplier is out of range or
 * repeated, a label list or the near null space has the wrong length, or processes name components
 * differently.
 */
template <class Engine>
class AssembledSystem {
 public:
  using EngineType = Engine;
  using Matrix = typename Engine::Matrix;

  explicit AssembledSystem(SystemDescription<Engine> description);

  GlobalIndex n_dofs() const { return dofs().n_global(); }
  /// The distribution of the assembled DoFs over the processes.
  const Partition& dofs() const { return description_.stiffness.rows(); }

  const Matrix& M() const { return *description_.mass; }
  const Matrix& C() const { return *description_.damping; }
  const Matrix& K() const { return description_.stiffness; }

  /// Returns the local constrained DoFs in ascending order.
  const Selection& constrained() const { return constrained_; }
  /// Returns the local DoFs that are not constrained, in ascending order. Their numbering is called *free*.
  const Selection& free() const { return free_; }

  /// Returns the local DoFs that were listed as multipliers, in ascending order.
  const Selection& multipliers() const { return multipliers_; }
  /// Returns b(t) and its derivatives in ascending order of the multipliers. The functions throw InvalidInput
  /// if the functions of the application return another size or NaN.
  const PrescribedMotion& right_sides() const { return description_.right_sides; }

  /// Returns f(t) for the local assembled DoFs, including b(t) at the multipliers. Collective.
  /// @throws InvalidInput if the application's function returns another size or NaN on any process
  Vector load(double time) const;
  bool has_load() const { return static_cast<bool>(description_.load); }
  bool has_load_rate() const { return static_cast<bool>(description_.load_rate); }
  /// Returns f'(t), including b'(t) at the multipliers.
  /// @throws NotAvailable if f(t) or b(t) was given without its derivative
  Vector load_rate(double time) const;

  /// Returns the prescribed motion in ascending order of the constrained DoFs (see constrained()). The
  /// functions throw InvalidInput if the functions of the application return another size or NaN.
  const PrescribedMotion& prescribed() const { return description_.prescribed; }

  /// Returns the state force p, whose functions are collective. On all processes the functions throw
  /// InvalidInput if the functions of the application return another size, or entries in columns that the
  /// pattern does not declare, and NotFinite if they return NaN.
  const StateForce<Engine>& state_force() const { return description_.state_force; }
  /// Returns a linear system: the tangents are added to M, C and K, and a remainder c(t) with one entry for
  /// each local assembled DoF replaces p. A missing remainder is zero. Collective.
  /// @param remainder_rate c'(t), which load_rate() needs; a missing function is zero
  AssembledSystem linearized(const Tangents<Engine>& tangents, const TimeFunction& remainder = {},
                             const TimeFunction& remainder_rate = {}) const;
  /// Returns the system with another load f(t), which shares all matrices. @param load_rate f'(t); may be
  /// empty
  AssembledSystem with_load(const TimeFunction& load, const TimeFunction& load_rate = {}) const;

  const DoFLabels& labels() const { return description_.labels; }

  /// Returns the near null space. Shape: local assembled DoFs x k, with k = 0 if none was given.
  const MultiVector& near_null_space() const { return description_.near_null_space; }

  /// Describes a local assembled DoF: "DoF 17 (node 6, x, at (0.1, 0.2))".
  std::string describe(Index local) const { return labels().describe(local, dofs().global_index(local)); }

 private:
  SystemDescription<Engine> description_;
  Selection constrained_;
  Selection multipliers_;
  Selection free_;
};

/// Returns a system without loads, constraints and labels.
template <class Engine>
AssembledSystem<Engine> assembled_system(const typename Engine::Matrix& M, const typename Engine::Matrix& C,
                                         const typename Engine::Matrix& K) {
  SystemDescription<Engine> description;
  description.mass = M;
  description.damping = C;
  description.stiffness = K;
  return AssembledSystem<Engine>(std::move(description));
}

}  // namespace halfdof
