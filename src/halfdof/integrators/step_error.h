#pragma once

#include <halfdof/integrators/check.h>
#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/// What StepError sees of a step.
struct SeenStep {
  double begin, end;           ///< [s]
  const Vector &q0, &q1;       ///< displacements of the free DoFs
  const Vector &v0, &v1;       ///< rates of inertial and viscous DoFs, the others null
  const Vector* mean_q;        ///< over the step, where it is known
  const Vector& load_impulse;  ///< integral of F [force s]
  const Vector& impulse;       ///< H dp [force s]
  const Vector& impulse_size;  ///< of what dp is the difference of [force s]
};

/**
 * The error of a time step by the balance of momentum over it,
 * @f[ d = M\,\Delta v + C\,\Delta q + K \int q\,dt - \int F\,dt - H\,\Delta p, \qquad (1) @f]
 * with the integral of q along the cubic through both ends and their rates, and that of F on a grid that
 * resolves the loads, whatever the rule of the method is: of implicit Euler d is of the order h^2 omega, of
 * trapezoidal rules h^3 omega^2, relative to the momentum, and a pulse of the load between two steps counts
 * in full. Rates that are wrong by e = d / diag(M + h C / 2 + h^2 K / 4) have the kinetic energy e^T diag(M)
 * e / 2 (of viscous DoFs e^T diag(C) e h, what they dissipate in a step). What is shown is the root of its
 * ratio to the largest of the motion in the run.
 */
template <class Engine>
class StepError {
 public:
  explicit StepError(const ReducedSystem<Engine>& reduced);

  /// Collective.
  void operator()(const SeenStep& step);
  /// The largest of a step, relative, and when that was.
  Violation largest() const;

 private:
  ReducedSystem<Engine> reduced_;
  Vector m_, c_, k_;  ///< |diagonals| of M, C, K
  double size_ = 0;   ///< the largest energy
  Violation error_;   ///< its energy
};

}  // namespace halfdof
