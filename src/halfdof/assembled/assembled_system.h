#pragma once

#include <halfdof/assembled/labels.h>
#include <halfdof/assembled/state_force.h>
#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <functional>
#include <optional>
#include <vector>

namespace halfdof {

/// A vector that depends on time [s].
using TimeFunction = std::function<Vector(double time)>;

/**
 * LiftedState q_D(t) of the constrained DoFs (a road, a shaker, a bow), in the order in which they were
 * listed. Which of the derivatives a model needs follows from the columns of K, C and M that meet a free row;
 * a needed one that is missing is refused. Without any, the constrained DoFs rest at zero.
 */
struct PrescribedMotion {
  TimeFunction value;         ///< q_D
  TimeFunction rate;          ///< q_D'
  TimeFunction acceleration;  ///< q_D''
  TimeFunction jerk = {};  ///< q_D''', only for the rates of algebraic DoFs where M couples free rows to it

  /// Whether anything is prescribed; otherwise the constrained DoFs rest at zero.
  bool moves() const { return value || rate || acceleration; }
};

/// What an application hands over after assembly; AssembledSystem validates it.
template <class Engine>
struct SystemDescription {
  using Matrix = typename Engine::Matrix;

  std::optional<Matrix> mass;      ///< M; absent: zero
  std::optional<Matrix> damping;   ///< C; absent: zero
  Matrix stiffness;                ///< K
  std::vector<Index> constrained;  ///< local assembled indices, any order, without repetition
  TimeFunction load;               ///< f(t), one entry for each local assembled DoF; absent: zero
  TimeFunction load_rate;          ///< f'(t), needed only for the rates of algebraic DoFs
  PrescribedMotion prescribed;     ///< absent: constrained DoFs rest at zero
  /// Local DoFs that multiply constraints, whose rows are A_1 q' + A_2 q = b; any order, without repetition.
  /// Only those need to be listed whose b is not zero (with_constraints() does).
  std::vector<Index> multipliers;
  PrescribedMotion right_sides;    ///< b(t) of the multipliers, in the order of the list; added to the load
  StateForce<Engine> state_force;  ///< p; absent: the system is linear
  DoFLabels labels;
  /// Motions that the stiffness hardly resists, from which multigrid starts: rigid_motions(), say. Shapes:
  /// local assembled DoFs x k, with the same k on all processes; empty: none are known.
  MultiVector near_null_space = {};
};

/**
 * The assembled second-order system
 * @f[ M \ddot q + C \dot q + K q = f(t) \qquad (1) @f]
 * with M, C, K square, of equal size, sparse, possibly unsymmetric and possibly singular. Where a StateForce
 * p was given, p(q, q', q'', t) stands on the left besides.
 *
 * Shapes: all matrices n_dofs() x n_dofs(); vectors n_dofs() (their local entries). Units: the application's
 * own, consistently. Numbering: assembled, 0-based. Constant after construction and cheap to copy.
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
  /// Who owns which assembled DoF.
  const Partition& dofs() const { return description_.stiffness.rows(); }

  const Matrix& M() const { return *description_.mass; }
  const Matrix& C() const { return *description_.damping; }
  const Matrix& K() const { return description_.stiffness; }

  /// Local constrained DoFs, ascending.
  const Selection& constrained() const { return constrained_; }
  /// Local DoFs that are not constrained, ascending; their numbering is called *free*.
  const Selection& free() const { return free_; }

  /// Local multipliers that were listed, ascending.
  const Selection& multipliers() const { return multipliers_; }
  /// b(t) by ascending multipliers; throws as prescribed() does.
  const PrescribedMotion& right_sides() const { return description_.right_sides; }

  /// f(t), local assembled entries, with b(t) at the multipliers. Collective. @throws InvalidInput if the
  /// application's function returns another size or NaN on any process.
  Vector load(double time) const;
  bool has_load() const { return static_cast<bool>(description_.load); }
  bool has_load_rate() const { return static_cast<bool>(description_.load_rate); }
  /// f'(t), with b'(t). @throws NotAvailable without a load rate, or where b(t) was given without b'(t).
  Vector load_rate(double time) const;

  /// The prescribed motion by ascending constrained DoFs, as constrained(); its functions throw InvalidInput
  /// if the application's return another size or NaN.
  const PrescribedMotion& prescribed() const { return description_.prescribed; }

  /// p; its functions are collective, and throw InvalidInput if the application's return another size, NaN
  /// (NotFinite) or entries in columns that were not declared on any process.
  const StateForce<Engine>& state_force() const { return description_.state_force; }
  /// With tangents added to M, C and K, and instead of p a remainder c(t), one entry for each local assembled
  /// DoF; absent: zero. Collective.
  /// @param remainder_rate c'(t), which load_rate() asks for; absent: zero
  AssembledSystem linearized(const Tangents<Engine>& tangents, const TimeFunction& remainder = {},
                             const TimeFunction& remainder_rate = {}) const;

  const DoFLabels& labels() const { return description_.labels; }

  /// Shapes: local assembled DoFs x k, k = 0 where none was given.
  const MultiVector& near_null_space() const { return description_.near_null_space; }

  /// "DoF 17 (node 6, x, at (0.1, 0.2))" of a local assembled DoF.
  std::string describe(Index local) const { return labels().describe(local, dofs().global_index(local)); }

 private:
  SystemDescription<Engine> description_;
  Selection constrained_;
  Selection multipliers_;
  Selection free_;
};

/// Shorthand without loads, constraints and labels.
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
