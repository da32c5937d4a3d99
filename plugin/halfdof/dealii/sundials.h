// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/smooth/integrator.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

/**
 * @file
 * The adaptive integrators of SUNDIALS, called through the wrappers of deal.II. In contrast to the
 * integrators of halfdof/integrators, the integrators of SUNDIALS choose their steps themselves and call the
 * observer only at output times. deal.II must have been configured with SUNDIALS 6 or later.
 */
namespace halfdof {

/// Options of the integrators. The error of an entry y_i per step is about absolute_tolerance +
/// relative_tolerance |y_i|.
struct SundialsOptions {
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-9;  ///< in the units of the states
  double output_period = 0;          ///< time between calls of the observer [s]; 0 means only at the end
  unsigned int maximum_order = 5;    ///< 3 to 5 for ARKode, 1 to 5 for IDA
};

/// Numbers of operations of a run.
struct SundialsWork {
  Index n_factorizations = 0;
  Index n_linear_solves = 0;
  Index n_linear_iterations = 0;  ///< iterations of GMRES, summed over all solves (ARKode)
};

/**
 * Diagonally implicit Runge-Kutta methods of ARKode on y' = A y + B F(t). The linear systems of the stages
 * are
 * @f[ (E - \gamma A)\, x = b, \qquad \gamma = 1/\sigma, @f]
 * and are solved by GMRES with a preconditioner in the original sparsity (ShiftedSystem). The preconditioner
 * needs a factorization of @f$ \sigma^2 M + \sigma C + K @f$ whenever the step has changed much; each
 * evaluation of f(t, y) and each iteration needs a solve with the mixed-column matrix D. With a StateForce,
 * y' follows from the nonlinear equations, and A from the tangents of the state force, which are updated when
 * ARKode requests it.
 */
template <class Engine>
class SundialsARKode {
 public:
  /// @throws InvalidInput if an option is invalid.
  explicit SundialsARKode(const ReducedSystem<Engine>& reduced, const SundialsOptions& options = {});

  /**
   * Advances the state to end_time. The observer is called with the initial state, after every output period,
   * and at the end; dense output within the last step is not available. Collective.
   * @throws InvalidInput if end_time is before state.time, or the system has no states; NoConvergence if
   *     SUNDIALS fails; exceptions of the load. The state is unchanged after an error.
   */
  SundialsWork run(State& state, double end_time, const Observer<Engine>& observer = {}) const;

 private:
  ReducedSystem<Engine> reduced_;
  SundialsOptions options_;
};

/**
 * The backward differentiation formulas of IDA, of variable order, for the residual y' - A y - B F(t). Linear
 * systems with the Newton matrix @f$ \alpha E - A @f$ are solved by a factorization of
 * @f$ \sigma^2 M + \sigma C + K @f$ with @f$ \sigma = \alpha @f$. With a StateForce, A contains the tangents
 * of the state force at the last setup of the Newton matrix.
 */
template <class Engine>
class SundialsIDA {
 public:
  /// @throws InvalidInput if an option is invalid.
  explicit SundialsIDA(const ReducedSystem<Engine>& reduced, const SundialsOptions& options = {});

  /// Advances the state to end_time, see SundialsARKode::run().
  SundialsWork run(State& state, double end_time, const Observer<Engine>& observer = {}) const;

 private:
  ReducedSystem<Engine> reduced_;
  SundialsOptions options_;
};

}  // namespace halfdof
