// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * Constraints @f$ A_1 \dot q + A_2 q = b(t) @f$ that are given in addition to M, C and K: rigid links, gears,
 * rolling without slip. A row that is zero in A_1 constrains displacements. Any other row constrains only
 * rates; the displacements follow from it by integration and may drift.
 */
template <class Engine>
struct AdditionalConstraints {
  using Matrix = typename Engine::Matrix;

  std::optional<Matrix> rate;      ///< A_1; absent: zero. Shape: rows x assembled DoFs
  std::optional<Matrix> position;  ///< A_2; absent: zero. Shape: rows x assembled DoFs
  Vector constant;                 ///< a part of b that never changes; empty: zero
  /// b(t) and its derivatives. For DoFs with mass, a constraint on rates needs b', and one on displacements
  /// b' and b''. Absent: zero.
  PrescribedMotion right_side;
  std::vector<std::string> names;  ///< one for each row, for messages; empty: "multiplier, constraint i"
};

/**
 * Returns the description with the constraints added. Each constraint adds a multiplier as a DoF after the
 * assembled ones,
 * @f[ \begin{bmatrix} M & \\ & 0 \end{bmatrix} \begin{bmatrix} \ddot q \\ \ddot\mu \end{bmatrix} +
 *     \begin{bmatrix} C & \\ A_1 & 0 \end{bmatrix} \begin{bmatrix} \dot q \\ \dot\mu \end{bmatrix} +
 *     \begin{bmatrix} K & B^T \\ A_2 & 0 \end{bmatrix} \begin{bmatrix} q \\ \mu \end{bmatrix} =
 *     \begin{bmatrix} f \\ b \end{bmatrix}. @f]
 * A row of B equals the row of A_1 if that has entries on free DoFs, and otherwise the row of A_2. So the
 * reactions do no work on motions that the constraints allow.
 *
 * Hidden constraints: the rows of B may be linearly dependent on the free DoFs, and the same linear
 * combination of the constraints on rates may then leave a constraint on displacements. The row of this
 * hidden constraint replaces one row of B: the one with the largest part in the combination (its weight times
 * the norm of its direction on free DoFs; the first one of equal parts). The combination is scaled so that
 * the replaced row has the weight one. So the hidden constraint has a reaction like any other constraint.
 *
 * The reactions on the structure are @f$ -B^T \mu @f$. reduce() eliminates them (ConstraintCoordinates), but
 * not in systems with a StateForce. Numbering: assembled DoFs keep their numbers, row i becomes DoF n_dofs +
 * i.
 *
 * @throws InvalidInput if shapes differ, an entry is not finite, a row is zero or acts only on constrained
 * DoFs, or derivatives of b were given without b; NotAvailable on several processes
 */
template <class Engine>
SystemDescription<Engine> with_constraints(const SystemDescription<Engine>& description,
                                           const AdditionalConstraints<Engine>& constraints);

/// Options that decide when, and for which DoFs, constraints are solved.
struct DummyDerivativeOptions {
  /// Constraints are solved only if they couple more free DoFs than this into one group, directly or through
  /// each other. Up to this size, constraint_coordinates() can take a dense basis of that order
  /// (KernelOptions::max_group).
  Index max_group = 0;
  /// Group size above which dummy derivatives are the faster method (examples/incompressible-beam --cells 4:
  /// 6 s instead of 21 s).
  static constexpr Index worthwhile = 1000;
  /// Local assembled DoFs that should remain states where other DoFs can be dependent: those on which
  /// inclusions act.
  std::vector<Index> keep = {};
};

/// A description whose constraints are solved for dependent DoFs.
template <class Engine>
struct DummyDerivatives {
  SystemDescription<Engine> description;
  std::vector<Index> dependent;  ///< assembled DoFs, one for each independent constraint
  std::vector<Index> redundant;  ///< multipliers of redundant constraints; they are fixed at zero
};

/**
 * Rewrites constraints that multipliers in K enforce so that the elimination finds null columns, for any
 * number of constraints and without fill-in. Each constraint is solved for a dependent DoF d. The rate v_d
 * and the acceleration a_d of this DoF become additional unknowns, and the derivatives of the constraint
 * become additional equations (dummy derivatives; Mattsson and Soederlind 1993). With A_d the columns of the
 * dependent DoFs, A_i the other columns, and P^T A P = [A_i A_d],
 * @f[ A_i q_i + A_d q_d = b, \quad A_i \dot q_i + A_d v_d = \dot b, \quad
 *     A_i \ddot q_i + A_d a_d = \ddot b, \quad
 *     M_i \ddot q_i + M_d a_d + C_i \dot q_i + C_d v_d + K q + B \mu = f. @f]
 * q_d, v_d, a_d and mu have no inertia: they are algebraic, the finite spectrum is that of the constrained
 * system, and q_i and q_i' are its states. A constraint on rates, A_1 q' + A_2 q = b, needs only a_d, and its
 * q_d is viscous. The unknowns v_d are omitted where no damping acts on any q_d of a constraint on
 * displacements.
 *
 * The dependent DoFs are those that pivot_rows() chooses, in units of unit_factors(). Integrators with
 * inclusions refuse contact and friction on dependent DoFs: these are algebraic here, but their reactions
 * depend on masses. Multipliers are algebraic DoFs that have no entries in equations of algebraic DoFs; their
 * own equations contain no accelerations. ConstraintCoordinates is more general (it finds hidden constraints,
 * and multipliers that are combinations of DoFs), but its bases are dense where many DoFs are coupled.
 *
 * Numbering: assembled DoFs keep their numbers; v_d and then a_d follow. Both are appended to the list of
 * multipliers, and the derivatives of b to the right sides; multipliers that were not listed are added, too.
 * A description without multipliers is returned unchanged.
 *
 * @throws NotAvailable on several processes, in systems with a StateForce, where loads act on multipliers
 * (when the load is evaluated), where constraints are redundant and a motion or right side is prescribed,
 * where constraints on rates imply hidden ones on displacements, or where constraints on displacements
 * contain rates of supports that move. With max_group > 0 the description is returned unchanged in these
 * cases, except for loads on multipliers.
 * @throws InvalidInput if derivatives of b are missing, or an index in `keep` is out of range
 */
template <class Engine>
DummyDerivatives<Engine> with_dummy_derivatives(const SystemDescription<Engine>& description,
                                                const DummyDerivativeOptions& options = {});

}  // namespace halfdof
