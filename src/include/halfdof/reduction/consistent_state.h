// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/**
 * Computes an equilibrium y' = 0 near a given state under the loads at the time of this state; rates of
 * the guess do not matter. A linear system is solved directly. In a system with a state force,
 * linearized steps of the implicit Euler method from rest lead to the equilibrium,
 * @f[ (\sigma I - A)\, \Delta y = \dot y, @f]
 * with A at each iterate. A step with @f$\sigma = 0@f$ is a step of Newton's iteration. Such steps are
 * taken as long as another step with the same matrices would be at most half as large. Otherwise a
 * larger @f$\sigma@f$ makes the steps shorter; @f$\sigma@f$ decreases again with each accepted step
 * (Kelley, Keyes, SIAM J. Numer. Anal. 35, 1998). The size of a step is
 * @f$ (\sum_i (\sigma^2 |M_{ii}| + \sigma |C_{ii}| + |K_{ii}|)\, \Delta q_i^2)^{1/2} @f$, which does
 * not depend on the units of the DoFs.
 *
 * The iteration ends if no displacement changes by more than NewtonOptions::tolerance of its value (or
 * by more than the effect of rounding in the forces), and no unbalanced force is larger than the same
 * fraction of the terms of its equation. Far from the guess the iteration prefers stable equilibria,
 * because its steps follow the motion of the masses.
 *
 * @throws SingularElimination with the block "K" if the system is linear and the stiffness of its free DoFs
 * is singular (null vectors, and a condition number after equilibration of at least the default
 * EliminationOptions::condition_limit); SingularMatrix if the stiffness cannot be factorized but no null
 * vectors are found. dofs() lists the DoFs with the largest entries in unsupported motions. A singular
 * stiffness is an error also for loads that do no work on these motions, because the equilibrium is not
 * unique.
 * @throws NoConvergence if no equilibrium of a system with a state force is found within four times
 * NewtonOptions::max_iterations steps; the message names the largest unbalanced force
 * @throws KindChange, SingularElimination or NoConvergence at the guess. Collective.
 */
template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const State& guess);

/**
 * Computes the equilibrium of a linear system under a load that replaces the load f(t) of the system,
 * @f[ K_{ff} q_f = f_f - K_{fD} q_D - C_{fD} \dot q_D - M_{fD} \ddot q_D, @f]
 * with its prescribed motion at that time: supports that slide with a constant velocity act through their
 * dampers.
 *
 * @param load On the local assembled DoFs; loads on constrained DoFs have no effect @param time [s]
 * @throws InvalidInput if the load has another size or is not finite; SingularElimination as above;
 * NotAvailable if the system has a state force (then put the load in its description), or if the load acts on
 * an equation that is a constraint. Collective.
 */
template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const Vector& load, double time = 0);

/// A given initial value that contradicts the equations, with the consistent value.
struct InitialChange {
  GlobalIndex dof;  ///< assembled index
  /// "displacement" (of algebraic or constrained DoFs) or "rate" (of viscous or constrained DoFs); in systems
  /// with constraints, of any DoF
  std::string quantity;
  double given;
  double consistent;
  std::string description;  ///< description of the DoF in messages
};

/// The changes of given initial values, the same on every process. Displacements and rates are counted
/// separately, because they have different units.
struct ConsistencyReport {
  GlobalIndex n_changed = 0;        ///< n_displacements + n_rates
  GlobalIndex n_displacements = 0;  ///< displacements that were changed
  GlobalIndex n_rates = 0;          ///< rates that were changed
  /// At most ten displacements, then at most ten rates; each list is sorted, with the largest change first.
  std::vector<InitialChange> largest;
};

std::ostream& operator<<(std::ostream& out, const ConsistencyReport& report);

struct ConsistentState : State {
  ConsistencyReport report;
};

struct ConsistencyOptions {
  enum class Mode { adjust, strict } mode = Mode::adjust;  ///< strict: throw instead of changing anything
  double tolerance = 1e-10;  ///< smallest change that is reported, relative to the largest entry of the
                             ///< vector of displacements or rates
};

/**
 * Computes the state at t_0 for given displacements and rates. q_I, q_C and v_I are used as given; q_K and
 * q_C' follow from them and F(t_0), and q_D and q_D' from the prescribed motion. In systems with constraints
 * (hidden ones included), values that violate them are projected (ReducedSystem::project()). Given values
 * that differ from the consistent ones are reported.
 *
 * Shapes: q_0 and q_0' have one entry for each local assembled DoF. Collective.
 * @throws InvalidInput if sizes differ, an entry is not finite, or strict mode finds a change.
 */
template <class Engine>
ConsistentState consistent_state(const ReducedSystem<Engine>& reduced, const Vector& displacement,
                                 const Vector& rate, double time = 0, const ConsistencyOptions& options = {});

/**
 * Compares given displacements and rates with the motion of a state, and reports the differences.
 * @param lifted The motion of the state at `time`: ReducedSystem::lift(), without or with further forces
 * @throws InvalidInput as consistent_state() does. Collective.
 */
template <class Engine>
ConsistencyReport consistency_report(const ReducedSystem<Engine>& reduced, const Vector& displacement,
                                     const Vector& rate, double time, const AssembledMotion& lifted,
                                     const ConsistencyOptions& options = {});

/// Checks in strict mode that no given value was changed. @throws InvalidInput if a value was changed
void check_strict(const ConsistencyReport& report, double time, const ConsistencyOptions& options);

/// Checks given displacements and rates. @throws InvalidInput unless both vectors have one finite entry for
/// each local assembled DoF, and the options are in range. Collective.
template <class Engine>
void check_initial_values(const ReducedSystem<Engine>& reduced, const Vector& displacement,
                          const Vector& rate, const ConsistencyOptions& options = {});

}  // namespace halfdof
