#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <limits>
#include <string>
#include <vector>

namespace halfdof {

/**
 * Follows the iteration of a step of a system with a StateForce. Its loads depend on the states that it leads to,
 * @f[ y^{k+1} = \text{step}(F - c(y^k)), @f]
 * with the remainder c of ReducedSystem: Newton's method with tangents that are kept while they serve, and whose limit
 * is the step of the method for the equations themselves.
 */
class StepIteration {
 public:
  enum class Verdict { converged, repeat, renew_tangents };

  /// @param begin What the step starts from, in parts that have one unit each: local entries
  /// @param name "implicit Euler" @param from,to [s]
  StepIteration(const NewtonOptions& options, const Communicator& communicator, std::string name, double from,
                double to, std::vector<Vector> begin);

  /// What to do after a trial. Collective. @throws NoConvergence after too many, or if one is not finite
  Verdict judge(std::vector<Vector> trial);

 private:
  double change(const std::vector<Vector>& trial);

  NewtonOptions options_;
  const Communicator& communicator_;
  std::string name_;
  double from_, to_;
  std::vector<Vector> last_;
  std::vector<double> largest_;
  double before_ = std::numeric_limits<double>::infinity();
  int n_trials_ = 0;
};

/// (q_I, q_C, v_I).
template <class Engine>
std::vector<Vector> parts_of(const ReducedSystem<Engine>& reduced, const Vector& y) {
  return {reduced.q_I(y), reduced.q_C(y), reduced.v_I(y)};
}

}  // namespace halfdof
