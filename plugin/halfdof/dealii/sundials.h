#pragma once

#include <halfdof/integrators/observation.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

/**
 * @file
 * The adaptive integrators of SUNDIALS through deal.II's own wrappers. Unlike the integrators of
 * halfdof/integrators they choose their steps themselves, and show the observer output times only. Needs a
 * deal.II with SUNDIALS (6 or later).
 */
namespace halfdof {

/// Error per step of an entry y_i: about absolute_tolerance + relative_tolerance |y_i|.
struct SundialsOptions {
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-9;  ///< in the units of the states
  double output_period = 0;          ///< [s] between the points that the observer sees; 0: the end alone
  unsigned int maximum_order = 5;    ///< 3 to 5 for ARKode, 1 to 5 for IDA
};

/// What a run has cost.
struct SundialsWork {
  Index n_factorizations = 0;
  Index n_linear_solves = 0;
  Index n_linear_iterations = 0;  ///< of GMRES, in all solves together (ARKode)
};

/**
 * Diagonally implicit Runge-Kutta methods of ARKode on y' = A y + B F(t). The systems of its stages are
 * @f[ (E - \gamma A)\, x = b, \qquad \gamma = 1/\sigma, @f]
 * solved by GMRES, preconditioned through the original sparsity (ShiftedSystem): one factorization of
 * @f$ \sigma^2 M + \sigma C + K @f$ whenever the step has changed much, one solve with D for every f(t, y)
 * and every iteration. With a StateForce y' is that of its equations, and A that of tangents, which Newton's
 * iteration of a stage renews where they do not serve.
 */
template <class Engine>
class SundialsARKode {
 public:
  /// @throws InvalidInput if an option makes no sense.
  explicit SundialsARKode(const ReducedSystem<Engine>& reduced, const SundialsOptions& options = {});

  /**
   * Advances the state to end_time. The observer sees the initial point, then every output period, and the
   * end; it has no dense output inside the last step. Collective.
   * @throws InvalidInput if end_time is before state.time, or the system has no states; NoConvergence if
   * SUNDIALS gives up; what the load throws. The state is then unchanged.
   */
  SundialsWork run(State& state, double end_time, const Observer<Engine>& observer = {}) const;

 private:
  ReducedSystem<Engine> reduced_;
  SundialsOptions options_;
};

/**
 * The backward differentiation formulas of IDA, of variable order, on the residual y' - A y - B F(t). The
 * Newton matrix is @f$ \alpha E - A @f$, solved as above with @f$ \sigma = \alpha @f$; with a StateForce that
 * of the tangents where it is set up.
 */
template <class Engine>
class SundialsIDA {
 public:
  /// @throws InvalidInput if an option makes no sense.
  explicit SundialsIDA(const ReducedSystem<Engine>& reduced, const SundialsOptions& options = {});

  /// As SundialsARKode::run().
  SundialsWork run(State& state, double end_time, const Observer<Engine>& observer = {}) const;

 private:
  ReducedSystem<Engine> reduced_;
  SundialsOptions options_;
};

}  // namespace halfdof
