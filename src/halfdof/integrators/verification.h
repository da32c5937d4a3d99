#pragma once

#include <halfdof/integrators/energy.h>
#include <halfdof/integrators/law_verification.h>
#include <halfdof/integrators/nonsmooth_integrator.h>
#include <halfdof/integrators/step_error.h>
#include <halfdof/integrators/time_resolution.h>
#include <halfdof/integrators/trajectory.h>

#include <array>
#include <iosfwd>
#include <optional>
#include <vector>

namespace halfdof {

struct VerificationReport {
  std::array<Violation, n_checks> violations;
  Violation
      step_error;  ///< of the time step: StepError, and what laws miss within steps; relative, of one step
  std::size_t n_points = 0;
  bool has_energy = false;    ///< M, C and K are symmetric: EnergyBalance::applies_to()
  std::vector<Check> judged;  ///< rows that are marked so in the table, as the step error is; empty: no marks

  const Violation& operator[](Check check) const { return violations[static_cast<std::size_t>(check)]; }
};

/// A table: what, largest violation, when, where, and with marks "judged" or "shown"; then the error of the
/// time step.
std::ostream& operator<<(std::ostream& out, const VerificationReport& report);

/**
 * Checks a trajectory from the assembled M, C, K, the loads and the laws alone. Nothing of the integrator
 * takes part but the states and events that it has shown; displacements and rates of half DoFs are put back,
 * and every term of every step is computed again. Where dense output is of high degree, it is looked at as
 * well, and integrals over a step are taken with the nodes of StepPath. An observer that wants to see every
 * step:
 *
 * @code
 * Verification check(integrator);
 * integrator.run(state, end_time, std::ref(check));
 * std::cout << check.report();
 * @endcode
 *
 * Loads, thresholds, obstacles and prescribed motions are sampled on a grid of their own (TimeResolution),
 * whatever the steps are: VerificationReport::step_error is what steps make of them, and of the motion, by
 * their length. It is that of the worst step; how errors of steps add up is seen by running again with half
 * of their length.
 *
 * Steps shorter than some digits of the time itself are judged by those alone: rates and means over a step
 * are no better than its length. Which violations are rounding depends on the method:
 * NonsmoothIntegrator::kept_exactly(). The balance is exact for one-stage methods with their end_weight()
 * (implicit Euler, Moreau-Jean), of the order of the step for other methods without dense output; gaps of
 * velocity-level schemes close up to O(h), see Check::penetration; energy is kept by Moreau-Jean with theta =
 * 1/2, and falls elsewhere by what the method dissipates. Steps of NonsmoothIntegrator::no_polynomial in
 * which a load or a support has a kink are judged by their step error instead. Friction that weakens has no
 * variational inequality, and is not asked for one.
 */
template <class Engine>
class Verification {
 public:
  /// Of the runs of an integrator, which has to live as long. @param longest_interval see VerificationOptions
  explicit Verification(const NonsmoothIntegrator<Engine>& integrator,
                        double longest_interval = std::numeric_limits<double>::infinity());
  Verification(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
               const VerificationOptions& options = {});

  /// Collective.
  void operator()(const NonsmoothObservation<Engine>& now);

  /// Of all points so far. Collective.
  VerificationReport report() const;

 private:
  /// One point, and what has been computed of it.
  struct Point : SeenPoint {
    Vector q, v, load;  ///< free DoFs
    Vector q_rate;      ///< of inertial and viscous DoFs; the others null
  };

  Point point_of(const NonsmoothObservation<Engine>& now) const;
  void check_laws(const Point& to, const StepPath* path, const std::vector<ContactEvent>& events);
  Vector algebraic_impulses(Vector beyond) const;
  double rounding_of_momentum(const Point& at) const;
  void check_balance(const Point& from, const Point& to, const StepPath* path);
  void check_dissipated(const Point& from, const Point& to, const StepPath* path,
                        const std::vector<ContactEvent>& events);
  double beyond_rounding(double work) const;
  void take(double work, double size);
  double work_of_jump(Index j, const Point& at, double before, double after, double slip) const;
  void take_along(const Point& from, const Point& to, const StepPath& path, const std::vector<bool>& strikes);
  void check_energy(const NonsmoothObservation<Engine>& now);
  void check_between(const Point& from, const Point& to, const StepPath* path);
  Vector load_impulse(const Point& from, const Point& to, const StepPath* path);
  std::vector<Index> held_directions(const Point& from, const Point& to) const;
  Vector admitted_impulses(const Point& from, const Point& to, const Vector& impulse,
                           const Vector& change) const;
  void check_step(const Point& from, const Point& to, const StepPath* path);
  Violation balance_violation() const;

  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  VerificationOptions options_;
  LawVerification laws_;
  const NonsmoothIntegrator<Engine>* integrator_ = nullptr;  ///< whose runs these are; null: not known
  std::optional<EnergyBalance<Engine>> energy_;
  StepError<Engine> step_error_;
  TimeResolution resolution_of_laws_, resolution_of_loads_;
  std::optional<Point> last_;
  std::size_t n_points_ = 0;

  Violation balance_, dissipated_, energy_defect_;  ///< with units
  double first_dissipated_ = 0, taken_ = 0;         ///< given at the first point; recomputed since then
  double rounding_of_work_ = 0;                     ///< so far
  double size_balance_ = 0, size_taken_ = 0, size_energy_ = 0;  ///< the largest terms so far
  double size_elastic_ = 0;  ///< r W_K r of a direction, the largest so far
};

/// The same for a trajectory that was kept. Collective.
template <class Engine>
VerificationReport verify(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                          const Trajectory& trajectory, const VerificationOptions& options = {});

}  // namespace halfdof
