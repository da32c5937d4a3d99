// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * The convergence test of the iteration for one step of a system with a StateForce, whose loads depend on the
 * unknown states,
 * @f[ y^{k+1} = \text{step}(F - c(y^k)), @f]
 * with the nonlinear remainder c of the state force. The iteration is a modified Newton's method, whose
 * tangents are kept while the convergence is fast enough. The limit is the step of the method for the
 * nonlinear equations.
 *
 * The state is divided into parts, in each of which all entries have the same unit. A part has converged if
 * its change is at most NewtonOptions::tolerance times its largest entry, or at most a multiple of its
 * rounding error; the velocity of a mass at rest, for instance, consists of rounding errors. If the iteration
 * is slow, the rounding errors are measured by a trial with perturbed forces (force_rounding()).
 */
class StepIteration {
 public:
  enum class Decision { converged, repeat, measure_rounding, update_tangents };

  /// @param what returns the subject of the error message, such as "The implicit Euler step from 0 s to 0.1
  /// s"
  /// @param begin the state at the beginning of the step in parts of one unit each, local entries
  StepIteration(const NewtonOptions& options, const Communicator& communicator,
                std::function<std::string()> what, std::vector<Vector> begin);

  /// Returns how the iteration continues after a trial. Collective.
  /// @throws NoConvergence after NewtonOptions::max_iterations trials, or if a trial is not finite
  Decision decide_after_trial(std::vector<Vector> trial);
  /// Returns how the iteration continues after the last trial was repeated with perturbed forces: with the
  /// next trial (repeat), or with new tangents (update_tangents). Collective.
  /// @param trial the result with perturbed forces
  Decision decide_after_rounding_trial(const std::vector<Vector>& trial);

 private:
  std::vector<double> changes(const std::vector<Vector>& trial) const;
  double change() const;

  NewtonOptions options_;
  const Communicator& communicator_;
  std::function<std::string()> subject_;
  std::vector<Vector> last_trial_;
  /// The largest entry so far, the last change, and the largest change that counts as rounding of each part.
  std::vector<double> largest_, changes_, rounding_;
  double previous_change_ = std::numeric_limits<double>::infinity();
  int n_trials_ = 0;
  bool has_rounding_ = false;
};

/// Returns the values after relative perturbations by one machine epsilon with alternating signs.
Vector perturbed_by_rounding(Vector values);

/// Returns the parts q_I, q_C and v_I of a state.
template <class Engine>
std::vector<Vector> parts_of(const ReducedSystem<Engine>& reduced, const Vector& y) {
  return {reduced.q_I(y), reduced.q_C(y), reduced.v_I(y)};
}

/// Computes the loads in the trials of a step of a system with a StateForce. The load at the beginning of the
/// step is stored and computed again only if the reactions at the beginning change.
template <class Engine>
class TrialLoad {
 public:
  void begin(double time) {
    begin_ = time;
    at_begin_.reset();
  }
  void forget_tangents() { at_begin_.reset(); }

  /// Returns the load F at a state of the present trial.
  /// @param r all reactions at this state, on every process
  /// @param forces the forces of these reactions on the free DoFs
  Vector operator()(const ReducedSystem<Engine>& reduced, const State& state, const Vector& r,
                    const Vector& forces) {
    if (state.time != begin_) return reduced.load(state, forces);
    if (!at_begin_ || r_ != r) at_begin_ = reduced.load(state, forces);
    r_ = r;
    return *at_begin_;
  }

 private:
  double begin_ = 0;  ///< Time at the beginning of the step [s].
  std::optional<Vector> at_begin_;
  Vector r_;
};

}  // namespace halfdof::internal
