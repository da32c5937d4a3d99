#pragma once

#include <halfdof/base/profile.h>
#include <halfdof/classification/constraint_coordinates.h>
#include <halfdof/reduction/method.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/weierstrass_form.h>

#include <iosfwd>
#include <memory>
#include <optional>

namespace halfdof {

/// How equations that are not linear are solved, at a state and in a step.
struct NewtonOptions {
  double tolerance = 1e-10;  ///< of a change, in (0, 1) of the largest entry of the same kind; or rounding
  int max_iterations = 50;   ///< at least 1
  /// The tangents are renewed, and factorized again, where a change is not below this part, in (0, 1), of the
  /// last.
  double slow = 0.25;
  /// Whether the tangents at the end of every step are held against the declared kinds.
  bool monitor_kinds = true;
};

struct ReductionOptions {
  /// Any but none.
  ReductionMethod method = ReductionMethod::automatic;
  ClassificationOptions classification;
  KernelOptions kernel;
  WeierstrassOptions weierstrass;
  /// Free DoFs up to which `automatic` takes the Weierstrass form, whose work grows like the cube of their
  /// number.
  GlobalIndex max_weierstrass = 500;
  EliminationOptions elimination;
  FactorizationOptions shifted;  ///< for sigma^2 M + sigma C + K
  NewtonOptions newton;          ///< with a StateForce
};

/// A point of the regular state space. y = (q_I, q_C, v_I): local entries of each part, one part after the
/// other.
struct State {
  double time = 0;  ///< [s]
  Vector y;
};

template <class Engine>
struct StateDependence;

/// The columns that multiply states: M J_I, K J_I and K J_C. Shapes: free DoFs x n_I, n_I and n_C.
template <class Engine>
struct StateColumns {
  typename Engine::Matrix M_I, K_I, K_C;
};

/// Forces of accelerations and rates that only multipliers of constraints carry, since the equations in
/// coordinates lack them: M S of viscous and of algebraic coordinates, and C S of algebraic ones, without
/// what rounding leaves of zeros. Shapes: free DoFs x n_C, n_K and n_K.
struct ForcesCarriedByMultipliers {
  Eigen::SparseMatrix<double> M_C, M_K, C_K;
  bool is_empty() const { return M_C.nonZeros() + M_K.nonZeros() + C_K.nonZeros() == 0; }
};

/// (sigma E - A) of a reduced system, ready to solve; keeps its factorization. Collective.
template <class Engine, class Scalar>
class ShiftedSystem;

/**
 * The regular state-space system that remains when the half DoFs are eliminated exactly
 * (Simionatto et al., Eqs. (1), (2), (31), (32)):
 * @f[ \dot y = A y + B F(t), \qquad y = (q_I, q_C, v_I), \qquad N_s = 2 N_I + N_C, @f]
 * @f[ A y = (v_I;\ J_C^T x;\ J_I^T x), \quad
 *     x = -D^{-1}(C J_I v_I + K J_I q_I + K J_C q_C), \qquad B F = (0;\ J_C^T D^{-1}F;\ J_I^T D^{-1}F), @f]
 * with D of MixedColumnMatrix. A is never formed: it is applied through D, and shifted systems are solved
 * through the *original* sparsity. `restrict` and `lift` lead from the assembled to the reduced numbering and
 * back.
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
   * Classifies and eliminates, by the weakest method that suffices: where null columns leave D singular,
   * kernels of M and C that no single column shows are looked for, on one process, then constraints with
   * multipliers, and last the Weierstrass form. Collective.
   * @throws SingularElimination as null columns leave it, unless another method was asked for;
   * AmbiguousRank or NotAvailable where one was; InvalidInput
   */
  explicit ReducedSystem(const AssembledSystem<Engine>& assembled, const ReductionOptions& options = {});
  /// The same of a system with a StateForce, linearized at a motion; above at rest in zero at t = 0.
  /// LiftedState: local assembled DoFs. Kinds are those of declared_kinds().
  /// @throws KindChange if they are not at that motion
  ReducedSystem(const AssembledSystem<Engine>& assembled, double time, const LiftedState& motion,
                const ReductionOptions& options = {});

  /// Linearized where the system depends on its state.
  const AssembledSystem<Engine>& assembled() const { return free().assembled(); }
  /// null_columns, kernel, constraints or weierstrass.
  ReductionMethod method() const;
  /// Why: what weaker methods could not do; "" for null columns that were not chosen.
  const std::string& reason() const;
  /// What was found of constraints.
  const ConstraintReport& constraints() const;
  /// The coordinates that are reduced, the free DoFs if the method is `null_columns`; without the columns
  /// that a null tolerance dropped.
  const FreeSystem<Engine>& free() const;
  /// The same with every column. The same as free() unless has_dropped().
  const FreeSystem<Engine>& undropped() const;
  /// What "before" means in a comparison: undropped(), or with constraints the DoFs and all their
  /// multipliers, ConstraintCoordinates::before.
  const FreeSystem<Engine>& before() const;
  /// How many finite eigenvalues that has: deg det P.
  GlobalIndex n_finite_before() const;
  /// Whether columns were dropped that are null by a tolerance, or in kernel coordinates by rounding.
  bool has_dropped() const;
  const Classification& classification() const;
  const MixedColumnMatrix<Engine>& elimination() const;
  const Communicator& communicator() const { return free().dofs().communicator(); }

  GlobalIndex n_states() const { return classification().n_states(); }
  Index n_local_states() const;
  /// Numbering of the states by rank; on one process (q_I, q_C, v_I), each by ascending assembled index.
  const Partition& states() const;

  /// y' = A y + B F(t).
  Vector apply(const State& state) const;
  /// The same while forces act on the free DoFs.
  Vector apply(const State& state, const Vector& forces) const;
  /// A Y for one or several states. Shapes: n_local_states() x k.
  MultiVector apply_homogeneous(ConstView<double> Y) const;
  ComplexMultiVector apply_homogeneous(ConstView<Complex> Y) const;
  /// B F. Shapes: F local free DoFs x k, result n_local_states() x k.
  MultiVector input(ConstView<double> F) const;
  /// (a_I; q_C'; q_K) at the places of their DoFs for states Y and loads F. Shapes: local free DoFs x k.
  MultiVector highest_derivatives(ConstView<double> Y, ConstView<double> F) const;
  /**
   * The time derivative of the equations of highest_derivatives() along the motion,
   * @f[ (\dot a_I;\ \ddot q_C;\ \dot q_K) = D^{-1}(\dot F - C J_I a_I - K J_I v_I - K J_C \dot q_C), @f]
   * with the tangents at the state. @param forces,force_rates On the free DoFs beside the load. Collective.
   * @throws NotAvailable as FreeSystem::load_rate(), or without the time derivative of a state force
   */
  Vector rates_of_highest_derivatives(const State& state, const Vector& forces,
                                      const Vector& force_rates) const;
  /// F on the free DoFs at a state: the load and what prescribed motion adds, less restrict(remainder()).
  /// @param forces On the free DoFs: what acts there beside the load, and counts for the remainder alone
  Vector load(const State& state, const Vector& forces) const;
  Vector load(const State& state) const;
  /// F(t) of that without a remainder.
  Vector linear_load(double time) const { return free().load(time); }

  /// Whether the system has a StateForce. Then all matrices are tangents, at linearization().
  bool depends_on_state() const { return state_dependence() != nullptr; }
  /// Null for linear systems.
  const StateDependence<Engine>* state_dependence() const;
  /**
   * What a state force adds to its tangents at linearization(), c = p - (dp/dq'') q'' - (dp/dq') q' - (dp/dq)
   * q, on all local assembled DoFs. The unknown (a_I; q_C'; q_K) at the state are solved for by Newton's
   * iteration with D, and with D at the state where that is slow: algebraic DoFs obey their equations to
   * NewtonOptions. Zero for linear systems. Collective.
   * @param forces as load() @throws NoConvergence; KindChange or SingularElimination at the state
   */
  Vector remainder(const State& state, const Vector& forces) const;
  /// The system of small motions about a state, where forces act; its states are the same ones, whole and not
  /// increments. That is the one for eigenvalues and responses. Linear systems: itself. Collective.
  /// @throws InvalidInput if difference quotients of the state force tell other tangents (tangent_mismatch())
  ReducedSystem about(const State& state, const Vector& forces) const;
  ReducedSystem about(const State& state) const;
  /// The same for iterations, whose tangents need not be exact: nothing is held against them.
  ReducedSystem renewed(const State& state, const Vector& forces) const;
  ReducedSystem renewed(const State& state) const;
  /// The linear system of the tangents at a state, with what is left of the state force there among its
  /// loads: right to first order nearby in motion, and in time where the state force has a time derivative;
  /// with the same states. Linear systems: itself. Collective.
  ReducedSystem tangent(const State& state, const Vector& forces) const;
  /// @param so_far Of states before, to which this one's columns are added
  /// @return whether the tangents that there are served to solve for the state
  /// @throws KindChange if the tangents at a state are not of the kinds declared; InvalidInput if the force
  /// changes with what no state tells (check_unseen_motion()). Collective.
  bool check_kinds(const State& state, const Vector& forces, ColumnsSoFar& so_far) const;

  /// Factorizes sigma^2 M + sigma C + K. @throws SingularMatrix if sigma is an eigenvalue.
  ShiftedSystem<Engine, double> shifted(double sigma) const;
  ShiftedSystem<Engine, Complex> shifted(Complex sigma) const;
  /// a M + b C + c K on the free DoFs, factorized; one symbolic analysis serves all calls.
  FactorizationPtr<double> factorize_pencil(double a, double b, double c) const;
  FactorizationPtr<Complex> factorize_pencil(Complex a, Complex b, Complex c) const;
  /// The same of before().
  FactorizationPtr<double> factorize_pencil_before(double a, double b, double c) const;
  FactorizationPtr<Complex> factorize_pencil_before(Complex a, Complex b, Complex c) const;

  /**
   * All n displacements and the rates that the state determines, in assembled numbering. Multipliers of
   * constraints may need the accelerations of viscous and the rates of algebraic coordinates, which follow
   * the rate of the load (rates_of_highest_derivatives()).
   * @throws NotAvailable if multipliers need the rate of a load or of forces that is not given, or the second
   * derivative of the load
   */
  LiftedState lift(const State& state) const;
  /// The same while further forces act. Shapes: forces on all local assembled DoFs.
  LiftedState lift(const State& state, const Vector& forces) const;
  /// Whether the state determines the rate of a local assembled DoF: no algebraic coordinate takes part in
  /// it, and it is no multiplier.
  bool has_rate(Index local_assembled) const;
  /// Whether a local assembled DoF takes part in a multiplier of a constraint.
  bool is_multiplier(Index local_assembled) const;
  /// q_K' of the local algebraic DoFs. @throws NotAvailable as rates_of_highest_derivatives()
  Vector algebraic_rates(const State& state) const;
  /// (q_I, q_C, v_I) from assembled displacements and rates; what they say of other DoFs is not looked at.
  Vector restrict(const Vector& displacement, const Vector& rate) const;
  /**
   * The same where constraints hold, but with what is off them taken along: the nearest displacements in the
   * metric of the mass, and the rates that impulses of the multipliers leave, @f$ Z^T M (q - q_f) = 0 @f$ and
   * @f$ Z^T M (\dot q - \dot q_f) = 0 @f$ in the rows of inertial coordinates.
   */
  Vector project(const Vector& displacement, const Vector& rate, double time) const;

  /// Made when they are first asked for, which is collective, and kept: copies of the columns, unless all are
  /// asked for.
  const StateColumns<Engine>& state_columns() const;
  /// Computed at the first call and kept; empty without constraints. On one process only.
  const ForcesCarriedByMultipliers& forces_carried_by_multipliers() const;

  /// Parts of a state (or of several). Shapes: (n_I | n_C | n_I) x k.
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
  /// (q_I, q_C)
  template <class Derived>
  auto q(Eigen::MatrixBase<Derived>& Y) const {
    return Y.topRows(n_I() + n_C());
  }
  template <class Derived>
  auto q(const Eigen::MatrixBase<Derived>& Y) const {
    return Y.topRows(n_I() + n_C());
  }

  /// Displacements of the free DoFs that are states, zero at algebraic ones.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> displacement_states(const Eigen::MatrixBase<Derived>& Y) const;
  /// Rates of the inertial DoFs, zero elsewhere, on the free DoFs.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> velocity_states(const Eigen::MatrixBase<Derived>& Y) const;

  /// Kinds by component, N_s, solvers chosen and what they cost, warnings. Written by rank 0. Collective.
  void print_summary(std::ostream& out) const;

 private:
  LiftedState motion_with(const State& state, const MultiVector& x) const;
  MultiVector solve_highest_derivatives(const State& state, const Vector& forces,
                                        bool* tangents_serve = nullptr) const;
  template <class Solve, class Change>
  std::optional<MultiVector> relaxed_highest_derivatives(const State& state, MultiVector x,
                                                         const Solve& solve,
                                                         const Change& relative_change) const;
  StateDependence<Engine> dependence_at(const State& state, const Vector& forces) const;
  explicit ReducedSystem(StateDependence<Engine> of_state);
  Index n_I() const { return classification().inertial().n_local(); }
  Index n_C() const { return classification().viscous().n_local(); }

  struct Implementation;
  std::shared_ptr<const Implementation> implementation_;
};

/// Classifies and eliminates: the one entry point.
template <class Engine>
ReducedSystem<Engine> reduce(const AssembledSystem<Engine>& assembled, const ReductionOptions& options = {}) {
  const Stage stage("reduce");
  return ReducedSystem<Engine>(assembled, options);
}

/**
 * @f$ (\sigma E - A) y = b @f$ with E = I, solved through the original sparsity: eliminating v_I, q_C' and
 * a_I gives
 * @f[ (\sigma^2 M + \sigma C + K)\, q = M J_I (\sigma b_{qI} + b_{vI}) + C (J_I b_{qI} + J_C b_{qC}), \qquad
 *     v_I = \sigma q_I - b_{qI}. @f]
 * One solve, no fill-in beyond that of the assembled pattern.
 */
template <class Engine, class Scalar>
class ShiftedSystem {
 public:
  ShiftedSystem(const ReducedSystem<Engine>& reduced, Scalar sigma);

  Scalar sigma() const { return sigma_; }
  /// y for one or several right-hand sides. Shapes: n_local_states() x k.
  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const;
  /// All free displacements q of the same solution (algebraic ones too). Shapes: local free DoFs x k.
  DenseMatrix<Scalar> solve_displacements(ConstView<Scalar> b) const;
  /// The factorized sigma^2 M + sigma C + K.
  const Factorization<Scalar>& pencil() const { return *pencil_; }

 private:
  ReducedSystem<Engine> reduced_;
  Scalar sigma_;
  FactorizationPtr<Scalar> pencil_;
};

template <class Engine>
template <class Derived>
DenseMatrix<typename Derived::Scalar> ReducedSystem<Engine>::displacement_states(
    const Eigen::MatrixBase<Derived>& Y) const {
  DenseMatrix<typename Derived::Scalar> q =
      DenseMatrix<typename Derived::Scalar>::Zero(free().dofs().n_local(), Y.cols());
  classification().inertial().add_to(q_I(Y), q);
  classification().viscous().add_to(q_C(Y), q);
  return q;
}

template <class Engine>
template <class Derived>
DenseMatrix<typename Derived::Scalar> ReducedSystem<Engine>::velocity_states(
    const Eigen::MatrixBase<Derived>& Y) const {
  DenseMatrix<typename Derived::Scalar> v =
      DenseMatrix<typename Derived::Scalar>::Zero(free().dofs().n_local(), Y.cols());
  classification().inertial().add_to(v_I(Y), v);
  return v;
}

}  // namespace halfdof
