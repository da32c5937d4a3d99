// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/verification/verification.h>
#include <halfdof/reduction/direction.h>
#include <halfdof/reduction/reduced_system.h>

#include <functional>
#include <vector>

namespace halfdof::internal {

/// The data of a step from which StepError computes its error.
struct StepData {
  double begin, end;           ///< Times at both ends of the step [s].
  const Vector &q0, &q1;       ///< Displacements of the free DoFs at both ends.
  const Vector &v0, &v1;       ///< Rates of inertial and viscous DoFs at both ends; other rates are zero.
  const Vector* mean_q;        ///< Mean of q over the step, or null if it is not known.
  const Vector& load_impulse;  ///< Integral of F over the step [force s].
  const Vector& impulse;       ///< Impulse H dp of the reactions on the free DoFs in the step [force s].
  const Vector& impulse_size;  ///< Size of the impulses since the start, whose difference is H dp [force s].
  const DirectionMatrix& H;
  const std::vector<Index>& held;  ///< Directions on DoFs with mass or damping that do not move in the step.
  /// A function that returns, for given changes of the impulses of all directions, the nearest changes that
  /// the laws admit at rest [force s].
  std::function<Vector(const Vector&)> admitted;
};

/**
 * The error of a time step, which is computed from the balance of momentum over the step,
 * @f[ d = M\,\Delta v + C\,\Delta q + K \int q\,dt - \int F\,dt - H\,\Delta p, \qquad (1) @f]
 * with the integral of q along the cubic through both ends and their rates, and the integral of F on a grid
 * that resolves the loads, independently of the rule of the method. Relative to the momentum, d is of the
 * order h^2 omega for implicit Euler and h^3 omega^2 for trapezoidal rules, and a pulse of the load between
 * two steps counts in full. The error e of the rates is defined by
 * @f[ e = \Delta^{-1}(d - H_h x), \quad H_h^T e = 0, \qquad
 *     \Delta = \mathrm{diag}(M + \tfrac h2 C + \tfrac{h^2}4 K). \qquad (2) @f]
 * The held directions, whose columns of H form H_h, do not move. The vector x contains errors of their
 * reactions, as long as the laws admit reactions that hold these directions; the rest of the defect, for
 * instance of a pulse that would overcome these reactions, counts as an error of the rates. The error of a
 * state is e for velocities, and h e for displacements without mass. Errors are measured by energies, which
 * are e^T diag(M) e for velocities and h^2 e^T diag(C) e / L for displacements, the energy that dampers
 * dissipate in the time L. L is a time scale of the viscous DoFs: L^2 is the largest q^T diag(C) q, with q
 * measured from the start, divided by the largest q'^T diag(C) q'. The reported error is the square root of
 * the ratio of these energies to the largest energies of the motion in the run.
 */
template <class Engine>
class StepError {
 public:
  explicit StepError(const ReducedSystem<Engine>& reduced);

  /// Adds a step. Collective.
  void operator()(const StepData& step);
  /// Returns the largest relative error of a step and its time.
  Violation largest() const;

 private:
  Vector error_without_held(const StepData& step, const Vector& inverse, Vector e, Vector& size) const;
  Vector reaction_errors_of_held(const StepData& step, const Vector& inverse, Vector& e, Vector& size) const;

  ReducedSystem<Engine> reduced_;
  Vector m_, c_, k_;  ///< Absolute values of the diagonal entries of M, C and K.
  Vector first_q_;
  /// The largest energies so far: of velocities, of displacements without mass, and of their rates.
  double size_of_velocities_ = 0, size_of_displacements_ = 0, size_of_rates_ = 0;
  /// The largest errors e^T diag(M) e and h^2 e^T diag(C) e of a step so far.
  Violation in_velocities_, in_displacements_;
};

}  // namespace halfdof::internal
