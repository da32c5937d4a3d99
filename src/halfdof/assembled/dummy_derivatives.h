#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <vector>

namespace halfdof {

/// When, and for which DoFs, constraints are solved.
struct DummyDerivativeOptions {
  /// Nothing is done unless constraints tie more free DoFs together, directly or through each other: a basis
  /// of what they leave is a dense matrix of that order, with a limit (KernelOptions::max_group).
  Index max_group = 0;
  /// Above this, dummy derivatives are the faster way (examples/incompressible-beam --cells 4: 6 s instead of
  /// 21 s).
  static constexpr Index worthwhile = 1000;
  /// Local assembled DoFs that are to stay states where other DoFs can be dependent: those on which
  /// inclusions act.
  std::vector<Index> keep = {};
};

/// A description whose constraints are solved for dependent DoFs.
template <class Engine>
struct DummyDerivatives {
  SystemDescription<Engine> description;
  std::vector<Index> dependent;  ///< assembled DoFs, one for each independent constraint
  std::vector<Index> redundant;  ///< multipliers of constraints that follow from others: they rest at zero
};

/**
 * Makes constraints that multipliers in K carry a matter of null columns, whatever their number: nothing
 * fills. Each constraint is solved for a dependent DoF d, whose rate and acceleration become unknowns of
 * their own, so that the constraint may be asked for together with its derivatives (dummy derivatives;
 * Mattsson and Soederlind 1993): with A_d the columns of the dependent DoFs, A_i the others, and P^T A P =
 * [A_i A_d],
 * @f[ A_i q_i + A_d q_d = b, \quad A_i \dot q_i + A_d v_d = \dot b, \quad
 *     A_i \ddot q_i + A_d a_d = \ddot b, \quad
 *     M_i \ddot q_i + M_d a_d + C_i \dot q_i + C_d v_d + K q + B \mu = f. @f]
 * q_d, v_d, a_d and mu have no inertia: they are algebraic, the finite spectrum is that of the constrained
 * system, and q_i and q_i' are its states. A constraint on rates, A_1 q' + A_2 q = b, needs a_d alone, and
 * leaves q_d viscous. v_d is left out where nothing damps q_d.
 *
 * Dependent DoFs are those of pivot_rows(), in units of unit_factors(). Integrators with inclusions refuse
 * contacts and frictions on dependent DoFs, which are algebraic though masses decide what they do.
 * Multipliers are algebraic DoFs that no equation of algebraic DoFs knows; their equations hold no
 * accelerations. ConstraintCoordinates says more (hidden constraints, combinations of DoFs as multipliers),
 * but its bases are dense where many DoFs are tied together.
 *
 * Numbering: assembled DoFs keep theirs; v_d and then a_d follow. Both are listed among the multipliers,
 * whose right sides they continue, and so are the multipliers that were not. Without multipliers the
 * description is returned as it is.
 *
 * @throws NotAvailable on several processes, beside a StateForce, where loads act on multipliers (when they
 * do), constraints follow from others and something is prescribed, constraints on rates hide others on
 * displacements, or those on displacements hold rates of supports that move: but with a max_group the
 * description is returned as it is. InvalidInput if derivatives of b are missing, or a DoF to keep is out of
 * range
 */
template <class Engine>
DummyDerivatives<Engine> with_dummy_derivatives(const SystemDescription<Engine>& description,
                                                const DummyDerivativeOptions& options = {});

}  // namespace halfdof
