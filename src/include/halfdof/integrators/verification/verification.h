// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>

#include <array>
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace halfdof {

/// The equations and laws that Verification checks along a trajectory.
enum class Check {
  /// Balance of momentum over each step, M dv + C dq + int K q dt = int f dt + H dp. The violation is
  /// relative to the largest term.
  balance,
  /// Gaps of contacts are not negative, g >= 0. The violation is relative to the largest displacement or gap.
  gap,
  /// A contact with mass penetrates no deeper than it can move within two steps, g + 2 h |w| >= 0 with the
  /// largest step length h and the largest rate |w| so far. The violation is relative as for gaps.
  penetration,
  /// The reaction r and the mean reaction dp/h of a step (without impulses of located events) are admissible
  /// for the law.
  reaction,
  /// The impulse dp of a step agrees with the reactions at its ends: dp/h lies between r_n and r_{n+1}, or is
  /// the mean reaction of the dense output.
  impulse,
  /// The rates w with which the laws were solved are the mean rates of the step, or the rates at its end.
  kinematics,
  /// The pair (w, r) or (g, r) lies in the graph of the law; the violation is the residual of the natural
  /// map. A contact with impacts may have the pair (w_{n+1} + e w_n, r) in the graph instead.
  law,
  /// Contacts obey the complementarity g r = 0.
  complementarity,
  /// Each law obeys its variational inequality (w - w') (r - r') <= 0 for random pairs (w', r') of its graph.
  variational,
  /// At each impact w+ + e w- = 0, unless the contact leaves faster, and the impulse is not negative.
  impact,
  /// The energy that the laws have dissipated since the first point equals minus the work of their impulses
  /// on relative rates.
  dissipated,
  /// The kinetic, potential and dissipated energy change by the work of the loads and reactions, if M, C and
  /// K are symmetric.
  energy,
};
constexpr std::size_t n_checks = 12;

/// Returns the name of a check in reports, such as "balance of momentum".
const char* name_of(Check check);

/// The largest violation of one equation or law along a trajectory.
struct Violation {
  double value = 0;   ///< Relative violation, without units.
  double time = 0;    ///< Time of the violation [s].
  std::string where;  ///< Its place, such as "DoF 17 (node 6, x)" or "inclusion \"brake\"".
};

/// Replaces the violation `largest` by the violation `found` if `found` is larger. A NaN counts as larger
/// than every number, so that it is never replaced.
void keep_larger(const Violation& found, Violation& largest);

/// Options for the verification of a trajectory.
struct VerificationOptions {
  double end_weight = 0.5;     ///< NonsmoothIntegrator::end_weight() of the method that made the trajectory.
  double shortest_flight = 0;  ///< NonsmoothIntegrator::shortest_flight() of that method [s].
  int n_test_pairs = 8;        ///< Number of random pairs (w', r') for each inclusion at each point.
  /// Longest interval in which functions of time are sampled [s]; 1/4096 of the length of a run is suitable.
  double longest_interval = std::numeric_limits<double>::infinity();
  unsigned seed = 1;                         ///< Seed of the random pairs.
  ImpactLaw impact_law = ImpactLaw::newton;  ///< NonsmoothIntegrator::impact_law() of the method.
  /// Relative accuracy of displacements in systems with a StateForce (NewtonOptions::tolerance). Verification
  /// takes the value from the model.
  double state_tolerance = 0;
};

/// The largest violation of each check along a trajectory.
struct VerificationReport {
  std::array<Violation, n_checks> violations;
  /// Relative error of the worst time step, including violations of the laws within the step.
  Violation step_error;
  std::size_t n_points = 0;
  bool has_energy = false;  ///< Whether the energy is checked, because M, C and K are symmetric.
  /// The checks that are marked "judged" in the table, in addition to the step error. If the vector is empty,
  /// the table has no marks.
  std::vector<Check> judged;

  const Violation& operator[](Check check) const { return violations[static_cast<std::size_t>(check)]; }
};

/// Writes a table with one row for each check (its name, largest violation, time, place, and with marks
/// "judged" or "shown") and a last row for the error of a time step.
std::ostream& operator<<(std::ostream& out, const VerificationReport& report);

/**
 * Checks a trajectory with the assembled M, C, K, the loads and the laws. From the integrator only the states
 * and events that it passes to observers are used; displacements and rates of half DoFs are recovered, and
 * every term of every step is computed again. Dense output of high degree is checked as well, and integrals
 * over a step are then computed from the dense output. Verification is an observer that has to be called at
 * every step:
 *
 * @code
 * Verification check(integrator);
 * integrator.run(state, end_time, std::ref(check));
 * std::cout << check.report();
 * @endcode
 *
 * Loads, thresholds, obstacles and prescribed motions are sampled on their own adaptive grid, independently
 * of the steps. VerificationReport::step_error is the error of the worst step that is due to its length, in
 * these functions and in the motion. A second run with half the step length shows how the errors of steps add
 * up.
 *
 * In very short steps the rounding of the time limits the accuracy of rates and means over a step; such
 * steps are judged only up to this rounding. Which checks are satisfied up to rounding depends on the method,
 * see NonsmoothIntegrator::kept_exactly(). The balance is exact for one-stage methods with their end_weight()
 * (implicit Euler, Moreau-Jean), and holds to the order of the step for other methods without dense output.
 * With velocity-level schemes gaps close up to O(h), see Check::penetration. Energy is conserved by
 * Moreau-Jean with theta = 1/2; with other methods it decreases by their numerical dissipation. If an
 * integrator has the dense_output_degree() no_polynomial, its steps in which a load or a support has a kink
 * are judged by their step error instead. The variational inequality is not checked for friction that
 * weakens, which does not obey it.
 */
template <class Engine>
class Verification {
 public:
  /// Checks the runs of an integrator, which has to outlive this object.
  /// @param longest_interval VerificationOptions::longest_interval [s]
  explicit Verification(const NonsmoothIntegrator<Engine>& integrator,
                        double longest_interval = std::numeric_limits<double>::infinity());
  Verification(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
               const VerificationOptions& options = {});
  ~Verification();
  Verification(Verification&&) noexcept;
  Verification& operator=(Verification&&) noexcept;

  /// Checks the step from the previous point of the trajectory to this point. Collective.
  void operator()(const NonsmoothObservation<Engine>& now);

  /// Returns the results for all points so far. Collective.
  VerificationReport report() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Checks a stored trajectory. Collective.
template <class Engine>
VerificationReport verify(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                          const Trajectory& trajectory, const VerificationOptions& options = {});

}  // namespace halfdof
