// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/profile.h>
#include <halfdof/reduction/reduction_options.h>

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

template <class Engine>
struct LinearizedStateForce;

template <class Engine>
class MixedColumnMatrix;

template <class Engine>
class UnreducedSystem;

template <class Engine>
struct StateColumns;

struct ForcesBalancedByMultipliers;

}  // namespace halfdof::internal

namespace halfdof {

/// The state y = (q_I, q_C, v_I) at a time: the local entries of each part, one part after the other.
struct State {
  double time = 0;  ///< [s]
  Vector y;
};

/// Redundant constraints: they depend linearly on each other, or follow from other constraints.
struct RedundantConstraints {
  std::vector<GlobalIndex> dofs;  ///< assembled indices of their multipliers, at most ten
  std::string text;               ///< a clause with their names
};

/// Numbers of the constraints that were found, and the redundant ones.
struct ConstraintReport {
  Index n_multipliers = 0;  ///< multipliers in K
  Index n_position = 0;     ///< independent constraints on displacements
  Index n_hidden = 0;       ///< independent constraints on displacements that follow from other
                            ///< constraints and their derivatives
  Index n_velocity = 0;     ///< independent constraints on rates
  std::vector<RedundantConstraints> redundant = {};
};

/// The factorized operator (sigma E - A) of a reduced system. Collective.
template <class Engine, class Scalar>
class ShiftedSystem;

/**
 * The regular state-space system that remains when the half DoFs are eliminated exactly
 * (Simionatto et al., Eqs. (1), (2), (31), (32)):
 * @f[ \dot y = A y + B F(t), \qquad y = (q_I, q_C, v_I), \qquad N_s = 2 N_I + N_C, @f]
 * @f[ A y = (v_I;\ J_C^T x;\ J_I^T x), \quad
 *     x = -D^{-1}(C J_I v_I + K J_I q_I + K J_C q_C), \qquad B F = (0;\ J_C^T D^{-1}F;\ J_I^T D^{-1}F), @f]
 * with D of MixedColumnMatrix. A is never formed: it is applied through D, and shifted systems are solved
 * with the *original* sparsity. `restrict` maps from the assembled to the reduced numbering, `lift` back.
 *
 * Shapes: a state has n_states() entries, n_local_states() on this process. Loads F are on the free DoFs.
 * Constant; cheap to copy.
 */
template <class Engine>
class ReducedSystem {
 public:
  using EngineType = Engine;
  using Matrix = typename Engine::Matrix;

  /**
   * Classifies the DoFs and eliminates half DoFs by the first method that suffices. If null columns leave D
   * singular, the next methods are tried on one process: kernels of M and C that are not single columns, then
   * constraints with multipliers, and last the Weierstrass form. Collective.
   * @throws SingularElimination if no method suffices, with the causes of the singular D of null columns. If
   * the options ask for another method: AmbiguousRank or NotAvailable. InvalidInput if an option is invalid
   */
  explicit ReducedSystem(const AssembledSystem<Engine>& assembled, const ReductionOptions& options = {});
  /// Reduces a system with a StateForce, linearized at a given motion. (The constructor above
  /// linearizes the system at t = 0, at zero displacements, rates and accelerations of all DoFs whose
  /// motion is not prescribed.) AssembledMotion: local assembled DoFs. Kinds are those of
  /// declared_kinds(). @throws KindChange if the kinds are different at that motion
  ReducedSystem(const AssembledSystem<Engine>& assembled, double time, const AssembledMotion& motion,
                const ReductionOptions& options = {});

  /// Returns the same system under another load f(t), which is not reduced again: D is shared. A system with
  /// a StateForce is linearized again at the same motion. @param load_rate f'(t), which only the rates of
  /// algebraic DoFs need; may be empty. Collective.
  ReducedSystem with_load(const TimeFunction& load, const TimeFunction& load_rate = {}) const;

  /// The assembled system; if it has a state force, its linearization.
  const AssembledSystem<Engine>& assembled() const;
  /// The method of the reduction: null_columns, kernel, constraints or weierstrass.
  ReductionMethod method() const;
  /// Explains why the methods tried before did not suffice, with the findings of this method; "" for
  /// null columns.
  const std::string& reason() const;
  /// Numbers of constraints and redundant constraints that were found.
  const ConstraintReport& constraints() const;
  /// The system in the coordinates of the reduction, which are the free DoFs for the method `null_columns`.
  /// Columns that a null tolerance dropped are zero in it. Only the library uses its members.
  const internal::FreeSystem<Engine>& free() const;
  /// The system before the reduction. Only the library uses its members.
  const internal::UnreducedSystem<Engine>& unreduced() const;
  const Classification& classification() const;
  /// The factorized D. Only the library uses its members.
  const internal::MixedColumnMatrix<Engine>& elimination() const;
  const Communicator& communicator() const;

  GlobalIndex n_states() const { return classification().n_states(); }
  Index n_local_states() const;
  /// Numbering of the states by rank; on one process (q_I, q_C, v_I), each by ascending assembled index.
  const Partition& states() const;

  /// Computes y' = A y + B F(t).
  Vector apply(const State& state) const;
  /// Computes y' with additional forces on the free DoFs.
  Vector apply(const State& state, const Vector& forces) const;
  /// Computes A Y for one or several states. Shapes: n_local_states() x k.
  MultiVector apply_homogeneous(ConstView<double> Y) const;
  ComplexMultiVector apply_homogeneous(ConstView<Complex> Y) const;
  /// Computes B F. Shapes: F local free DoFs x k, result n_local_states() x k.
  MultiVector input(ConstView<double> F) const;
  /// Computes accelerations of inertial, rates of viscous and displacements of algebraic DoFs, (a_I; q_C';
  /// q_K), in free numbering, for states Y and loads F. Shapes: local free DoFs x k.
  MultiVector highest_derivatives(ConstView<double> Y, ConstView<double> F) const;
  /**
   * Computes the time derivative of highest_derivatives() along the motion,
   * @f[ (\dot a_I;\ \ddot q_C;\ \dot q_K) = D^{-1}(\dot F - C J_I a_I - K J_I v_I - K J_C \dot q_C), @f]
   * with the tangents at the state. @param forces,force_rates Additional to the load, on the free DoFs.
   * Collective. @throws NotAvailable if the rate of a load is needed and not given, or without the time
   * derivative of a state force
   */
  Vector rates_of_highest_derivatives(const State& state, const Vector& forces,
                                      const Vector& force_rates) const;
  /// Computes F on the free DoFs at a state: the load and the effect of prescribed motion, minus
  /// restrict(remainder()). @param forces Additional to the load, on the free DoFs; they are not added to F,
  /// but the remainder depends on them
  Vector load(const State& state, const Vector& forces) const;
  Vector load(const State& state) const;
  /// Computes F(t) on the free DoFs: the load and the effect of prescribed motion, without the
  /// remainder of a state force.
  Vector linear_load(double time) const;

  /// Returns whether the system has a StateForce. Then all matrices contain its tangents at the
  /// linearization.
  bool depends_on_state() const { return linearized_state_force() != nullptr; }
  /// The state force and its linearization; a null pointer for linear systems.
  const internal::LinearizedStateForce<Engine>* linearized_state_force() const;
  /**
   * Computes the remainder c = p - (dp/dq'') q'' - (dp/dq') q' - (dp/dq) q of a state force p with
   * respect to its linearization, on all local assembled DoFs. The unknowns (a_I; q_C'; q_K) at the
   * state are found by Newton's iteration with D of the linearization, or if this iteration converges
   * slowly, with D at each iterate: the equations of algebraic DoFs are satisfied to the tolerance of
   * NewtonOptions. The remainder of a linear system is zero. Collective.
   * @param forces Additional forces, as in load() @throws NoConvergence; KindChange or
   * SingularElimination at the state
   */
  Vector remainder(const State& state, const Vector& forces) const;
  /// Returns the system of small motions about a state, in the presence of forces. Its states are total
  /// values, not increments. Use it for eigenvalues and responses. A linear system is returned unchanged.
  /// Collective.
  /// @throws InvalidInput if difference quotients of the state force contradict the tangents
  ReducedSystem about(const State& state, const Vector& forces) const;
  ReducedSystem about(const State& state) const;
  /// Returns the system of small motions about a state for use in iterations, where the tangents need
  /// not be exact and are not checked.
  ReducedSystem relinearized(const State& state, const Vector& forces) const;
  ReducedSystem relinearized(const State& state) const;
  /// Returns the linear system of the tangents at a state, with the remainder of the state force as a load.
  /// It has the same states, and is correct to first order in the motion, and in time if the state force has
  /// a time derivative. A linear system is returned unchanged. Collective.
  ReducedSystem tangent(const State& state, const Vector& forces) const;
  /// Checks that the tangents at a state are of the declared kinds.
  /// @param so_far The columns at previous states; the columns at this state are added
  /// @return whether the current tangents were good enough to solve for the state
  /// @throws KindChange if the kinds are different; InvalidInput if the force depends on motion that no state
  /// contains. Collective.
  bool check_kinds(const State& state, const Vector& forces, ColumnHistory& so_far) const;

  /// Factorizes sigma^2 M + sigma C + K. @throws SingularMatrix if sigma is an eigenvalue.
  ShiftedSystem<Engine, double> shifted(double sigma) const;
  ShiftedSystem<Engine, Complex> shifted(Complex sigma) const;
  /// Factorizes a M + b C + c K on the free DoFs; one symbolic analysis serves all calls.
  FactorizationPtr<double> factorize_pencil(double a, double b, double c) const;
  FactorizationPtr<Complex> factorize_pencil(Complex a, Complex b, Complex c) const;

  /**
   * Computes all n displacements and the rates that the state determines, in assembled numbering. Multipliers
   * of constraints may need the accelerations of viscous and the rates of algebraic coordinates, which depend
   * on the rate of the load (rates_of_highest_derivatives()).
   * @throws NotAvailable if multipliers need the rate of a load or of forces that is not given, or the second
   * derivative of the load
   */
  AssembledMotion lift(const State& state) const;
  /// Computes the motion of all DoFs as lift(state) does, with additional forces. Shapes: forces on all
  /// local assembled DoFs.
  AssembledMotion lift(const State& state, const Vector& forces) const;
  /// Returns whether the state determines the rate of a local assembled DoF: the DoF does not depend on an
  /// algebraic coordinate, and is not a multiplier.
  bool has_rate(Index local_assembled) const;
  /// Returns whether a local assembled DoF is a multiplier of a constraint, or part of a multiplier.
  bool is_multiplier(Index local_assembled) const;
  /// Computes q_K' of the local algebraic DoFs. @throws NotAvailable as rates_of_highest_derivatives()
  Vector algebraic_rates(const State& state) const;
  /// Returns (q_I, q_C, v_I) for assembled displacements and rates; entries of other DoFs are ignored.
  Vector restrict(const Vector& displacement, const Vector& rate) const;
  /**
   * Returns the state (q_I, q_C, v_I) with the nearest displacements that satisfy the constraints, in the
   * metric of the mass, and the rates after impulses of the multipliers: @f$ Z^T M (q - q_f) = 0 @f$ and
   * @f$ Z^T M (\dot q - \dot q_f) = 0 @f$ in the rows of inertial coordinates, where q_f and q_f' are the
   * given values. Without constraints the result equals that of restrict().
   */
  Vector project(const Vector& displacement, const Vector& rate, double time) const;

  /// The columns of states, which are copied on first use (a collective call) and kept. Nothing is copied if
  /// all columns are selected. Only the library uses their members.
  const internal::StateColumns<Engine>& state_columns() const;

  /// Parts of one or several states. Shapes: (n_I | n_C | n_I) x k.
  template <class Derived>
  auto q_I(const Eigen::MatrixBase<Derived>& Y) const {
    return Y.topRows(n_I());
  }
  template <class Derived>
  auto q_C(const Eigen::MatrixBase<Derived>& Y) const {
    return Y.middleRows(n_I(), n_C());
  }
  template <class Derived>
  auto v_I(const Eigen::MatrixBase<Derived>& Y) const {
    return Y.bottomRows(n_I());
  }

  /// Prints kinds by component, N_s, solvers and their cost, and warnings. Rank 0 writes the text.
  /// Collective.
  void print_summary(std::ostream& out) const;

 private:
  struct Implementation;

  /// The forces that only multipliers balance, which are computed on first use and kept; empty without
  /// constraints. On one process only.
  const internal::ForcesBalancedByMultipliers& forces_balanced_by_multipliers() const;
  AssembledMotion motion_with(const State& state, const MultiVector& x) const;
  MultiVector solve_highest_derivatives(const State& state, const Vector& forces,
                                        bool* may_keep_tangents = nullptr) const;
  template <class Solve, class Change>
  std::optional<MultiVector> relaxed_highest_derivatives(const State& state, MultiVector x,
                                                         const Solve& solve,
                                                         const Change& relative_change) const;
  internal::LinearizedStateForce<Engine> state_force_linearized_at(const State& state,
                                                                   const Vector& forces) const;
  explicit ReducedSystem(internal::LinearizedStateForce<Engine> of_state);
  explicit ReducedSystem(std::shared_ptr<const Implementation> implementation)
      : implementation_(std::move(implementation)) {}
  Index n_I() const { return classification().inertial().n_local(); }
  Index n_C() const { return classification().viscous().n_local(); }

  std::shared_ptr<const Implementation> implementation_;
};

/// Classifies the DoFs and eliminates half DoFs; this is the entry point of the reduction.
template <class Engine>
ReducedSystem<Engine> reduce(const AssembledSystem<Engine>& assembled, const ReductionOptions& options = {}) {
  const StageTimer stage("reduce");
  return ReducedSystem<Engine>(assembled, options);
}

/**
 * The solver of @f$ (\sigma E - A) y = b @f$ with E = I, with the original sparsity: eliminating v_I, q_C'
 * and a_I gives
 * @f[ (\sigma^2 M + \sigma C + K)\, q = M J_I (\sigma b_{qI} + b_{vI}) + C (J_I b_{qI} + J_C b_{qC}), \qquad
 *     v_I = \sigma q_I - b_{qI}. @f]
 * It needs one solve and has no fill-in beyond that of the assembled pattern.
 */
template <class Engine, class Scalar>
class ShiftedSystem {
 public:
  ShiftedSystem(const ReducedSystem<Engine>& reduced, Scalar sigma);

  Scalar sigma() const { return sigma_; }
  /// Computes y for one or several right-hand sides. Shapes: n_local_states() x k.
  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const;
  /// Computes all free displacements q of this solution, algebraic ones included. Shapes: local free DoFs x
  /// k.
  DenseMatrix<Scalar> solve_displacements(ConstView<Scalar> b) const;
  /// The factorized sigma^2 M + sigma C + K.
  const Factorization<Scalar>& pencil() const { return *pencil_; }

 private:
  ReducedSystem<Engine> reduced_;
  Scalar sigma_;
  FactorizationPtr<Scalar> pencil_;
};

}  // namespace halfdof
