#pragma once

#include <halfdof/integrators/check.h>
#include <halfdof/reduction/direction.h>
#include <halfdof/reduction/reduced_system.h>

#include <functional>
#include <vector>

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
  const DirectionMatrix& H;
  const std::vector<Index>& held;  ///< directions on DoFs with mass or damping that do not move in the step
  /// Of changes of the impulses of all directions, the nearest ones that the laws admit at rest [force s]
  std::function<Vector(const Vector&)> admitted;
};

/**
 * The error of a time step by the balance of momentum over it,
 * @f[ d = M\,\Delta v + C\,\Delta q + K \int q\,dt - \int F\,dt - H\,\Delta p, \qquad (1) @f]
 * with the integral of q along the cubic through both ends and their rates, and that of F on a grid that
 * resolves the loads, whatever the rule of the method is: of implicit Euler d is of the order h^2 omega, of
 * trapezoidal rules h^3 omega^2, relative to the momentum, and a pulse of the load between two steps counts
 * in full. Rates are wrong by e,
 * @f[ e = \Delta^{-1}(d - H_h x), \quad H_h^T e = 0, \qquad
 *     \Delta = \mathrm{diag}(M + \tfrac h2 C + \tfrac{h^2}4 K): \qquad (2) @f]
 * the directions H_h that are held do not move, and the part x of d is an error of their reactions, as far as
 * the laws admit reactions that hold them: a pulse that would tear them loose counts. The error
 * of a state is e for velocities, and h e for displacements without mass. Measured are their energies:
 * e^T diag(M) e, and h^2 e^T diag(C) e / L, what dampers would take of it within the time L that viscous DoFs
 * need for their way, L^2 being the ratio of the largest q^T diag(C) q, counted from the start, to the
 * largest of q'. What is shown is the root of the ratio to the largest energies of the motion in the run.
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
  Vector without_held(const SeenStep& step, const Vector& inverse, Vector e, Vector& size) const;
  Vector taken_by_held(const SeenStep& step, const Vector& inverse, Vector& e, Vector& size) const;

  ReducedSystem<Engine> reduced_;
  Vector m_, c_, k_;  ///< |diagonals| of M, C, K
  Vector first_q_;
  /// The largest so far: of velocities, of displacements without mass, and of rates of these.
  double size_of_velocities_ = 0, size_of_ways_ = 0, size_of_rates_ = 0;
  Violation in_velocities_, in_ways_;  ///< energies without h^2 / L
};

}  // namespace halfdof
