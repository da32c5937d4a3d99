#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/energy.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/trajectory.h>

#include <array>
#include <iosfwd>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace halfdof {

/// The largest violation of one equation or law along a trajectory.
struct Violation {
  double value = 0;   ///< relative, without units
  double time = 0;    ///< [s]
  std::string where;  ///< "DoF 17 (node 6, x)", "inclusion \"brake\""
};

/// What is checked.
enum class Check {
  balance,     ///< M dv + C dq + int K q dt = int f dt + H dp over each step; in units of its largest term
  gap,         ///< g >= 0; in units of the largest displacement or gap of a contact
  reaction,    ///< r in its set
  kinematics,  ///< the rates w that the laws saw: mean rates of the step, or rates at its end
  law,  ///< (w, r) or (g, r) in the graph: the natural map; for contacts with impacts w_{n+1} + e w_n, too
  complementarity,  ///< g r = 0
  variational,      ///< (w - w') (r - r') <= 0 for pairs (w', r') of the law at random
  impact,           ///< at each event: w+ + e w- = 0 unless the contact leaves faster, impulse >= 0
  dissipated,  ///< by the laws: minus the work of their impulses on relative rates, since the first point
  energy,      ///< T + U + dissipated = work of loads and reactions, for symmetric M, C, K
};
constexpr std::size_t n_checks = 10;

/// "balance of momentum", ...
const char* name_of(Check check);

struct VerificationReport {
  std::array<Violation, n_checks> violations;
  std::size_t n_points = 0;
  bool has_energy = false;  ///< M, C and K are symmetric: EnergyBalance::applies_to()

  const Violation& operator[](Check check) const { return violations[static_cast<std::size_t>(check)]; }
};

/// A table: what, largest violation, when, where.
std::ostream& operator<<(std::ostream& out, const VerificationReport& report);

struct VerificationOptions {
  double end_weight = 0.5;  ///< NonsmoothIntegrator::end_weight() of the method that made the trajectory
  int n_test_pairs = 8;     ///< random pairs for each inclusion and point
  unsigned seed = 1;
};

/**
 * Checks a trajectory from the assembled M, C, K, the loads and the laws alone. Nothing of the integrator
 * takes part but the states and events that it has shown; displacements and rates of half DoFs are put back,
 * and every term of every step is computed again. An observer that wants to see every step:
 *
 * @code
 * Verification check(model, outcome, {integrator.end_weight()});
 * integrator.run(state, end_time, std::ref(check));
 * std::cout << check.report();
 * @endcode
 *
 * Which violations are rounding depends on the method. The balance is exact for one-stage methods with their
 * end_weight() (implicit Euler, Moreau-Jean), of the order of the step elsewhere; gaps of velocity-level
 * schemes close up to O(h); energy is kept by Moreau-Jean with theta = 1/2, and falls elsewhere by what the
 * method dissipates. Friction that weakens has no variational inequality, and is not asked for one.
 */
template <class Engine>
class Verification {
 public:
  Verification(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
               const VerificationOptions& options = {});

  /// Collective.
  void operator()(const NonsmoothObservation<Engine>& now);

  /// Of all points so far. Collective.
  VerificationReport report() const;

 private:
  /// One point, and what has been computed of it.
  struct Point {
    NonsmoothState state;
    Vector q, v, load;                   ///< free DoFs
    Vector s, rate;                      ///< H^T q, H^T q' of inertial and viscous DoFs
    Vector prescribed, prescribed_rate;  ///< H_D^T q_D - h, and its derivative
  };
  /// What a law is held against: entries of w or g times rho, the force that would undo them within the step.
  struct Pair {
    Vector met, r;
    double rho;  ///< of scalar laws; 1 elsewhere
  };

  Point point_of(const NonsmoothObservation<Engine>& now) const;
  void measure(const Point& to);
  void note(Check check, std::size_t inclusion, double value, double time);
  void check_balance(const Point& from, const Point& to);
  void check_instant(std::size_t i, const Point& to);
  void check_step(const Point& from, const Point& to);
  void check_law(std::size_t i, const Point& from, const Point& to, const PrescribedStep& prescribed);
  double force_per(LawLevel level, Index direction, double step) const;
  Pair pair_of(std::size_t i, const Vector& w, const Vector& g, const Vector& r, double step) const;
  double largest_product(const Law& law, const LawParameters& parameters, const Pair& pair);
  void check_dissipated(const Point& from, const Point& to, const std::vector<ContactEvent>& events);
  void check_event(const ContactEvent& event);
  double size_of(Check check, std::size_t inclusion) const;
  Violation balance_violation() const;

  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  VerificationOptions options_;
  std::optional<EnergyBalance<Engine>> energy_;
  std::mt19937 random_;
  std::optional<Point> last_;
  std::size_t n_points_ = 0;

  /// By check, then by inclusion, with units.
  std::array<std::vector<Violation>, n_checks> found_;
  Violation balance_, dissipated_, energy_defect_;
  double first_dissipated_ = 0, taken_ = 0;  ///< given at the first point; recomputed since then
  Vector size_r_;                            ///< largest so far, of each inclusion
  double size_g_ = 0, size_rate_ = 0, size_balance_ = 0, size_taken_ = 0, size_energy_ = 0;
};

/// The same for a trajectory that was kept. Collective.
template <class Engine>
VerificationReport verify(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                          const Trajectory& trajectory, const VerificationOptions& options = {});

}  // namespace halfdof
