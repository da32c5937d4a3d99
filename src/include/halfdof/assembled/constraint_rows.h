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
  Vector constant;                 ///< a constant part of b; empty: zero
  /// b(t) and its derivatives, without the constant part. If a constraint acts on DoFs with mass, it needs b'
  /// if it constrains rates, and b' and b'' if it constrains displacements. A missing right side is zero.
  PrescribedMotion right_side;
  std::vector<std::string> names;  ///< names of the rows for messages; empty: "multiplier, constraint i"
};

/**
 * Returns the description with the constraints added. Each constraint adds a multiplier as a DoF after the
 * assembled ones,
 * @f[ \begin{bmatrix} M & \\ & 0 \end{bmatrix} \begin{bmatrix} \ddot q \\ \ddot\mu \end{bmatrix} +
 *     \begin{bmatrix} C & \\ A_1 & 0 \end{bmatrix} \begin{bmatrix} \dot q \\ \dot\mu \end{bmatrix} +
 *     \begin{bmatrix} K & B^T \\ A_2 & 0 \end{bmatrix} \begin{bmatrix} q \\ \mu \end{bmatrix} =
 *     \begin{bmatrix} f \\ b \end{bmatrix}. @f]
 * A row of B equals the row of A_1 if the row of A_1 has entries on free DoFs, and otherwise the row of A_2.
 * Therefore the reactions do no work on motions that the constraints allow.
 *
 * Hidden constraints: if the columns of B that belong to free DoFs have linearly dependent rows, the same
 * linear combination of the constraints on rates is free of rates and may constrain displacements. The row of
 * this hidden constraint replaces a row of B, so that the hidden constraint has a reaction like any other
 * constraint. The replaced row is the row with the largest part in the combination: its weight times its norm
 * on free DoFs, and the first row of several with equal parts. The combination is scaled so that the replaced
 * row has the weight one.
 *
 * The reactions on the structure are @f$ -B^T \mu @f$. The function reduce() eliminates the multipliers
 * (ConstraintCoordinates), but not in systems with a StateForce. Numbering: assembled DoFs keep their
 * numbers, and the multiplier of row i becomes DoF n_dofs + i.
 *
 * @throws InvalidInput if shapes differ, an entry is not finite, a row is zero or acts only on constrained
 * DoFs, or derivatives of b were given without b; NotAvailable on several processes
 */
template <class Engine>
SystemDescription<Engine> with_constraints(const SystemDescription<Engine>& description,
                                           const AdditionalConstraints<Engine>& constraints);

/// Options of with_dummy_derivatives(): whether constraints are solved for dependent DoFs, and for which
/// DoFs.
struct DummyDerivativeOptions {
  /// Constraints are solved for dependent DoFs only if they couple a group of more free DoFs than this
  /// number, directly or through other DoFs. For smaller groups, constraint_coordinates() computes a dense
  /// basis of this order (KernelOptions::max_group).
  Index max_group = 0;
  /// Group size above which dummy derivatives are faster than constraint_coordinates() (measured with
  /// examples/incompressible-beam --cells 4: 6 s instead of 21 s).
  static constexpr Index worthwhile = 1000;
  /// Local assembled DoFs that should remain states if other DoFs can be dependent, such as the DoFs on which
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
 * Replaces constraints that multipliers in K enforce by an equivalent system of index one, whose half DoFs
 * have null columns. The method works for any number of constraints and without fill-in. Each constraint is
 * solved for a dependent DoF d. The rate v_d
 * and the acceleration a_d of this DoF become additional unknowns, and the derivatives of the constraint
 * become additional equations (dummy derivatives; Mattsson and Soederlind 1993). With A_d the columns of the
 * dependent DoFs, A_i the other columns, and P^T A P = [A_i A_d],
 * @f[ A_i q_i + A_d q_d = b, \quad A_i \dot q_i + A_d v_d = \dot b, \quad
 *     A_i \ddot q_i + A_d a_d = \ddot b, \quad
 *     M_i \ddot q_i + M_d a_d + C_i \dot q_i + C_d v_d + K q + B \mu = f. @f]
 * The unknowns q_d, v_d, a_d and mu are algebraic, and q_i and q_i' are the states. The finite spectrum is
 * the spectrum of the constrained system. A constraint on rates, A_1 q' + A_2 q = b, needs only a_d, and its
 * q_d is viscous. The unknowns v_d are omitted if no damping acts on any q_d of a constraint on
 * displacements.
 *
 * The dependent DoFs are the pivots that pivot_rows() chooses after scaling by unit_factors(). Integrators
 * with inclusions reject contact and friction on dependent DoFs, because dependent DoFs are algebraic here,
 * but the reactions on them depend on masses. Multipliers are algebraic DoFs that appear in no equation of an
 * algebraic DoF and whose own equations contain no accelerations. ConstraintCoordinates is more general,
 * because it also finds hidden constraints and multipliers that are combinations of DoFs, but its bases are
 * dense where many DoFs are coupled.
 *
 * Numbering: assembled DoFs keep their numbers, all v_d follow, and then all a_d. The unknowns v_d and a_d
 * are appended to the list of multipliers, and the derivatives of b are appended to the right sides.
 * Multipliers that were not listed are added, too. A description without multipliers is returned unchanged.
 *
 * @throws NotAvailable on several processes, in systems with a StateForce, if loads act on multipliers (when
 *     the load is evaluated), if constraints are redundant and a motion or right side is prescribed, if
 *     constraints on rates imply hidden constraints on displacements, or if constraints on displacements
 *     contain rates of constrained DoFs that move. With max_group > 0 the description is returned unchanged
 *     in these cases, except for loads on multipliers.
 * @throws InvalidInput if derivatives of b are missing, or an index in `keep` is out of range
 */
template <class Engine>
DummyDerivatives<Engine> with_dummy_derivatives(const SystemDescription<Engine>& description,
                                                const DummyDerivativeOptions& options = {});

}  // namespace halfdof
