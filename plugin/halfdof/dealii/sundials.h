// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/smooth/integrator.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

/**
 * @file
 * The adaptive integrators of SUNDIALS, called through the wrappers of deal.II. In contrast to the
 * integrators of halfdof/integrators, they choose their steps themselves, and call the observer only at
 * output times. They need a deal.II with SUNDIALS (6 or later).
 */
namespace halfdof {

/// Options. The error per step of an entry y_i is about absolute_tolerance + relative_tolerance |y_i|.
struct SundialsOptions {
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-9;  ///< in the units of the states
  double output_period = 0;          ///< time between calls of the observer [s]; 0: only at the end
  unsigned int maximum_order = 5;    ///< 3 to 5 for ARKode, 1 to 5 for IDA
};

/// Cost of a run.
struct SundialsWork {
  Index n_factorizations = 0;
  Index n_linear_solves = 0;
  Index n_linear_iterations = 0;  ///< iterations of GMRES, summed over all solves (ARKode)
};

/**
 * Diagonally implicit Runge-Kutta methods of ARKode on y' = A y + B F(t). The linear systems of the stages
 * are
 * @f[ (E - \gamma A)\, x = b, \qquad \gamma = 1/\sigma, @f]
 * solved by GMRES with a preconditioner in the original sparsity (ShiftedSystem): one factorization of
 * @f$ \sigma^2 M + \sigma C + K @f$ whenever the step has changed much, and one solve with D for every f(t,
 * y) and every iteration. With a StateForce, y' follows from the nonlinear equations, and A from tangents,
 * which are updated when ARKode does not accept the old ones any more.
 */
template <class Engine>
class SundialsARKode {
 public:
  /// @throws InvalidInput if an option is invalid.
  explicit SundialsARKode(const ReducedSystem<Engine>& reduced, const SundialsOptions& options = {});

  /**
   * Advances the state to end_time. The observer is called at the initial point, after every output period,
   * and at the end; it has no dense output within the last step. Collective.
   * @throws InvalidInput if end_time is before state.time, or the system has no states; NoConvergence if
   *     SUNDIALS fails; exceptions of the load. The state is then unchanged.
   */
  SundialsWork run(State& state, double end_time, const Observer<Engine>& observer = {}) const;

 private:
  ReducedSystem<Engine> reduced_;
  SundialsOptions options_;
};

/**
 * The backward differentiation formulas of IDA, of variable order, on the residual y' - A y - B F(t). The
 * Newton matrix is @f$ \alpha E - A @f$, solved as for SundialsARKode with @f$ \sigma = \alpha @f$; with a
 * StateForce, A is that of the tangents at its last setup.
 */
template <class Engine>
class SundialsIDA {
 public:
  /// @throws InvalidInput if an option is invalid.
  explicit SundialsIDA(const ReducedSystem<Engine>& reduced, const SundialsOptions& options = {});

  /// Advances the state: see SundialsARKode::run().
  SundialsWork run(State& state, double end_time, const Observer<Engine>& observer = {}) const;

 private:
  ReducedSystem<Engine> reduced_;
  SundialsOptions options_;
};

}  // namespace halfdof
