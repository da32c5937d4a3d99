#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace halfdof {

/**
 * Follows the iteration of a step of a system with a StateForce. Its loads depend on the states that it leads
 * to,
 * @f[ y^{k+1} = \text{step}(F - c(y^k)), @f]
 * with the remainder c of ReducedSystem: Newton's method with tangents that are kept while they serve, and
 * whose limit is the step of the method for the equations themselves.
 *
 * A part of one unit has converged where it changes by no more than NewtonOptions::tolerance of its largest
 * entry, or than rounding moves it: of a mass at rest the velocity is nothing else. That is measured where
 * the iteration is slow, by a trial with other roundings (force_rounding()).
 */
class StepIteration {
 public:
  enum class Verdict { converged, repeat, measure_rounding, renew_tangents };

  /// @param what "The implicit Euler step from 0 s to 0.1 s", asked for where that was not solved
  /// @param begin What the step starts from, in parts that have one unit each: local entries
  StepIteration(const NewtonOptions& options, const Communicator& communicator,
                std::function<std::string()> what, std::vector<Vector> begin);

  /// What to do after a trial. Collective. @throws NoConvergence after too many, or if one is not finite
  Verdict judge(std::vector<Vector> trial);
  /// What to do after the last trial was made once more, with other roundings: to repeat, or to renew the
  /// tangents.
  Verdict judge_rounding(const std::vector<Vector>& trial);

 private:
  std::vector<double> changes(const std::vector<Vector>& trial) const;
  double change() const;

  NewtonOptions options_;
  const Communicator& communicator_;
  std::function<std::string()> what_;
  std::vector<Vector> last_;
  std::vector<double> largest_, changes_,
      rounding_;  ///< of each part: its entries, last changes, what is rounding
  double before_ = std::numeric_limits<double>::infinity();
  int n_trials_ = 0;
  bool has_rounding_ = false;
};

/// The same numbers, rounded otherwise.
Vector with_other_rounding(Vector values);

/// (q_I, q_C, v_I).
template <class Engine>
std::vector<Vector> parts_of(const ReducedSystem<Engine>& reduced, const Vector& y) {
  return {reduced.q_I(y), reduced.q_C(y), reduced.v_I(y)};
}

}  // namespace halfdof
