// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/integrators/smooth/integrator.h>
#include <halfdof/integrators/verification/step_path.h>

#include <vector>

namespace halfdof::internal {

/// Energies at one point of a trajectory, in the application's unit of force times length.
struct Energies {
  double kinetic = 0;     ///< Kinetic energy T = 1/2 v^T M v.
  double potential = 0;   ///< Potential energy U = 1/2 q^T K q with algebraic DoFs, without multipliers.
  double dissipated = 0;  ///< Integral of q'^T C q' since the first point.
  double work = 0;        ///< Integral of F^T q' since the first point.
  double reactions = 0;   ///< Work of the reactions of inclusions on the structure, including impacts.
};

/**
 * The energy balance of a system with symmetric M, C, K along a trajectory,
 * @f[ T + U + \int \dot q^T C\, \dot q\, dt = T_0 + U_0 + \int F^T \dot q\, dt, \qquad
 *     T = \tfrac12 v^T M v, \quad U = \tfrac12 q^T K q, @f]
 * on all free DoFs, including half DoFs. An EnergyBalance is an observer that has to be called at every step.
 * The integrals are computed as
 * @f[ \sum_n \Delta q^T C\, \Delta q / h, \qquad \sum_n \tfrac12 (F_n + F_{n+1})^T \Delta q, @f]
 * With these formulas the balance holds exactly for the Trapezoidal rule (and for the midpoint rule if F is
 * linear in time), and to second order for every other method. If a step has a StepPath, the quadrature of
 * the path is used.
 *
 * A prescribed motion counts as a load on the free DoFs: T and U contain no constrained DoFs. If constraints
 * have right sides b, U is computed from the displacements only, without the multipliers lambda, which would
 * add lambda^T b to both U and the work. If K is not definite (with an electric potential) U is no stored
 * energy, but the balance holds too.
 *
 * @code
 * EnergyBalance balance(reduced);
 * Trapezoidal(reduced, time_step).run(state, end_time, std::ref(balance));
 * @endcode
 */
template <class Engine>
class EnergyBalance {
 public:
  /// Returns whether M, C and K are symmetric up to 1e-10 of their column norms. Collective.
  static bool applies_to(const ReducedSystem<Engine>& reduced);
  /// @param so_far energies at the first point, from which the integrals are continued
  /// @throws InvalidInput if M, C or K is unsymmetric by more than 1e-10 of its column norms. Collective.
  explicit EnergyBalance(const ReducedSystem<Engine>& reduced, const Energies& so_far = {});

  /// Adds a point of a trajectory. Collective.
  void operator()(const Observation<Engine>& now);
  /// Adds a point of a trajectory with inclusions. The work of the reactions is the impulse of the step times
  /// the mean rates of the step, and for events the impulse times the mean of the rates before and after the
  /// event. If a load or a support jumps, DoFs without inertia follow a quasi-static path within the step, on
  /// which an inclusion sticks, slips or opens. The work of the reaction is computed along this path, and the
  /// remainder of the work is attributed to the loads. Collective.
  void operator()(const NonsmoothObservation<Engine>& now);

  /// Returns the energies at the last point.
  const Energies& energies() const { return energies_; }
  /// Returns the violation of the balance: T + U + dissipated energy - work of loads and reactions, minus the
  /// same sum at the first point.
  double defect() const { return total() - initial_total_; }

 private:
  double total() const {
    return energies_.kinetic + energies_.potential + energies_.dissipated - energies_.work -
           energies_.reactions;
  }
  /// A point of the trajectory with the quantities of the balance.
  struct Point {
    double time = 0;
    Vector q, load;              ///< Displacements of the free DoFs, and the loads on these DoFs.
    double of_right_sides = 0;   ///< Energy due to right sides of constraints, in addition to 1/2 q^T K q.
    Vector impulse, s, g, w, r;  ///< Impulses, displacements H^T q, gaps, rates H^T v and reactions.
    MultiVector s_half;          ///< The parts of H^T q that algebraic and viscous DoFs contribute.
    std::vector<ContactState> contacts;
  };
  Vector add_work_of_impacts(const NonsmoothObservation<Engine>& now, const Point& to, bool has_path);
  void add_work_by_means(const Point& to);
  void add_work_of_reactions(const NonsmoothObservation<Engine>& now, const Vector& impulse, const Point& to);
  void add_work_of_jump(const Inclusions<Engine>& inclusions, const Point& from, const Point& to);
  bool changes_state_without_path(const NonsmoothObservation<Engine>& now) const;
  void add_work_on_path(const StepPath& path, const Inclusions<Engine>& inclusions, const Point& to);
  double potential_of_right_sides(const Vector& displacement, const Vector& q) const;
  void finish_point(const State& state, Point to);

  ReducedSystem<Engine> reduced_;
  Energies energies_;
  bool has_right_sides_;  ///< Whether constraints have right sides, on any process.
  double initial_total_ = 0;
  bool has_begun_ = false;
  Point last_;
};

}  // namespace halfdof::internal
