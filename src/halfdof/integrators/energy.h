#pragma once

#include <halfdof/integrators/nonsmooth_observation.h>
#include <halfdof/integrators/observation.h>
#include <halfdof/integrators/step_path.h>

#include <vector>

namespace halfdof {

/// Energies of one point of a trajectory, in the application's unit of force times length.
struct Energies {
  double kinetic = 0;     ///< 1/2 v^T M v
  double potential = 0;   ///< 1/2 q^T K q, algebraic DoFs included, multipliers of constraints left out
  double dissipated = 0;  ///< integral of q'^T C q' since the first point
  double work = 0;        ///< integral of F^T q' since the first point
  double reactions = 0;   ///< work of the reactions of inclusions on the structure, impacts included
};

/**
 * The energy balance of a system with symmetric M, C, K along a trajectory,
 * @f[ T + U + \int \dot q^T C\, \dot q\, dt = T_0 + U_0 + \int F^T \dot q\, dt, \qquad
 *     T = \tfrac12 v^T M v, \quad U = \tfrac12 q^T K q, @f]
 * on all free DoFs, half ones included. An observer: it wants to see every step. The integrals are taken as
 * @f[ \sum_n \Delta q^T C\, \Delta q / h, \qquad \sum_n \tfrac12 (F_n + F_{n+1})^T \Delta q, @f]
 * with which the balance holds exactly for the Trapezoidal rule (and for the midpoint rule where F is linear
 * in time), and to second order for every other method; where there is a StepPath, by its quadrature.
 *
 * A prescribed motion counts as a load on the free DoFs: T and U leave out the constrained ones. U is that of
 * the displacements where constraints have right sides b, whose multipliers lambda would add lambda^T b to
 * both U and the work. Where K is
 * not definite (an electric potential) U is no stored energy, but the balance holds the same.
 *
 * @code
 * EnergyBalance balance(reduced);
 * Trapezoidal(reduced, time_step).run(state, end_time, std::ref(balance));
 * @endcode
 */
template <class Engine>
class EnergyBalance {
 public:
  /// Whether M, C and K are symmetric, to 1e-10 of their column norms. Collective.
  static bool applies_to(const ReducedSystem<Engine>& reduced);
  /// @param so_far At the first point that will be seen: its integrals go on from these
  /// @throws InvalidInput if M, C or K is unsymmetric by more than that. Collective.
  explicit EnergyBalance(const ReducedSystem<Engine>& reduced, const Energies& so_far = {});

  /// Collective.
  void operator()(const Observation<Engine>& now);
  /// With inclusions, whose reactions work too: their impulses times the mean rates of the step, those of the
  /// events in it times the means of the rates before and after. Where a load or a support jumps, DoFs
  /// without inertia follow a quasi-static path within the step, on which an inclusion sticks, slips or
  /// opens. The work of its reaction is taken along that path, and the remainder is attributed to the loads.
  /// Collective.
  void operator()(const NonsmoothObservation<Engine>& now);

  /// At the last point seen.
  const Energies& energies() const { return energies_; }
  /// T + U + dissipated - work (and that of reactions), less its value at the first point: zero where the
  /// balance holds.
  double defect() const { return total() - initial_total_; }

 private:
  double total() const {
    return energies_.kinetic + energies_.potential + energies_.dissipated - energies_.work -
           energies_.reactions;
  }
  /// One point, and what is known there.
  struct Point {
    double time = 0;
    Vector q, load;              ///< free DoFs
    double of_right_sides = 0;   ///< what potential() adds to 1/2 q^T K q of the free DoFs
    Vector impulse, s, g, w, r;  ///< of inclusions: impulses, H^T q, gaps, H^T v, reactions
    MultiVector s_half;          ///< of H^T q, the parts by algebraic and by viscous DoFs
    std::vector<ContactState> contacts;
  };
  Vector add_impacts(const NonsmoothObservation<Engine>& now, const Point& to, bool has_path);
  void add_means(const Point& to);
  void add_reactions(const NonsmoothObservation<Engine>& now, const Vector& impulse, const Point& to);
  void add_jump(const Inclusions<Engine>& inclusions, const Point& from, const Point& to);
  bool changes_at_once(const NonsmoothObservation<Engine>& now) const;
  void add_path(const StepPath& path, const Inclusions<Engine>& inclusions, const Point& to);
  double potential_of_right_sides(const Vector& displacement, const Vector& q) const;
  void conclude(const State& state, Point to);

  ReducedSystem<Engine> reduced_;
  Energies energies_;
  bool has_right_sides_;  ///< of constraints, on any process
  double initial_total_ = 0;
  bool has_begun_ = false;
  Point last_;
};

}  // namespace halfdof
