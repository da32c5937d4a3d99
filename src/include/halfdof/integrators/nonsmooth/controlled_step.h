// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace halfdof {

struct ControlledStepOptions {
  /// Allowed error at the end of a run, relative to the largest displacement and the largest rate so far.
  double relative_tolerance = 1e-4;
  double run_length = 0;  ///< Length T [s] of the run, over which errors add up.
  /// The functions of time from which loads and prescribed motions are computed. Steps end at the kinks of
  /// these functions and resolve them, and likewise the functions of the laws.
  std::vector<ScalarFunction> functions;
};

/**
 * Step-size control for a method with steps of one length. The error of a step is estimated as 2 e, where e
 * is the difference between the result of the step and that of two steps of half its length. The differences
 * of displacements and of rates are relative to the largest displacement and rate so far (not of the whole
 * run), since an early error may grow with the motion. The depth by which contacts penetrate further in the
 * step counts as a difference of displacements. A step is accepted if
 * @f[ 2 e \le \mathrm{tol}\; h / T, \qquad h = T\, 2^{-k}, @f]
 * so that the sum of the errors of all steps is below the tolerance. If an impact or a change of state
 * happens in a step, or e decreases so slowly with h that there must be a jump, no h satisfies this
 * condition. The condition is then 2 e <= tol instead, and the errors of several such steps may add up. If
 * friction begins to slip within the step, the effect on its rate counts as an error. The next step has twice
 * the length if the error is at most an eighth of the allowed error.
 *
 * The accepted steps are those of the method, which keeps all its exact properties (kept_exactly()). Their
 * lengths are T divided by powers of two, except at kinks of functions of time and at ends of runs, so that
 * few factorizations are needed. Each step costs as much as three steps of the method. The bound is
 * conservative: smooth motions have errors below the tolerance (with generalized-alpha far below), and more
 * steps than necessary.
 * Changes of a load between the instants at which the step and its halves evaluate the load may be missed if
 * the load is not given by a ScalarFunction, for instance short pulses of loads written in C++.
 *
 * DoFs without mass and damping follow the loads immediately, and their errors do not add up. Their error is
 * estimated from the gaps of inclusions on algebraic DoFs: the deviation from a straight line within a step,
 * and the difference from the result of the half steps at the end of the step. This error has to be below the
 * tolerance.
 *
 * NonsmoothState::carried contains the exponent k of h and the largest displacement and rate so far, after
 * the entries of the method.
 */
template <class Engine>
class ControlledStep final : public NonsmoothIntegrator<Engine> {
 public:
  /// A function that returns the method with steps of a given length [s].
  using Make = std::function<std::unique_ptr<NonsmoothIntegrator<Engine>>(
      const Inclusions<Engine>&, const InclusionOutcome&, double step)>;

  /// @throws InvalidInput if an option is out of range, or as make() does; NotAvailable for systems with a
  /// state force
  ControlledStep(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, Make make,
                 ControlledStepOptions options);
  ControlledStep(const ControlledStep&) = delete;
  ControlledStep& operator=(const ControlledStep&) = delete;

  std::string name() const override { return initial_method_->name() + " with controlled steps"; }
  double end_weight() const override { return initial_method_->end_weight(); }
  ImpactLaw impact_law() const override { return initial_method_->impact_law(); }
  double largest_residual() const override { return largest_residual_; }
  std::vector<Check> kept_exactly() const override { return initial_method_->kept_exactly(); }

 protected:
  bool is_implicit() const override { return false; }
  /// Does nothing, and is never called, because the constructor refuses systems whose tangents change.
  void rebuild(const Inclusions<Engine>&, const InclusionOutcome&) override {}
  NonsmoothState advance(const NonsmoothState& from, double limit,
                         std::vector<ContactEvent>& events) override;
  std::string advice() const override {
    return "Check the loads and the laws, and give a smaller tolerance.";
  }

 private:
  /// The data of the step-size control in the memory of a state.
  struct Control {
    int level;                  ///< k of the step length T 2^-k.
    double displacement, rate;  ///< The largest displacement and rate so far.
  };
  /// Rounding errors of displacements and rates.
  struct Rounding {
    double displacement, rate;
  };
  /// The result of one or two steps of the method over the same interval.
  struct Trial {
    NonsmoothState end;
    std::vector<ContactEvent> events;
    double residual;
  };
  struct Attempt {
    Trial step;
    double error;               ///< The estimated error 2 e.
    double quasi_static_error;  ///< Error of displacements on algebraic DoFs, which follow the loads at once.
    /// Whether the step or its halves contain an event, a penetration, or friction that begins to slip.
    bool contains_event;
  };
  NonsmoothIntegrator<Engine>& method(int level);
  double length(int level) const;
  Control control_of(const NonsmoothState& from) const;
  NonsmoothState without_control(const NonsmoothState& from) const;
  int level_that_resolves_functions(const NonsmoothState& from, int level, double limit, double& end);
  void advance_trial(int level, double end, Trial& trial);
  double penetration(const NonsmoothState& from, const NonsmoothState& to) const;
  double rate_error_of_first_slip(const NonsmoothState& from, const NonsmoothState& to, const Vector& first,
                                  const Vector& second) const;
  double quasi_static_error(const NonsmoothState& from, const NonsmoothState& to, const Vector& middle,
                            const NonsmoothState& by_halves, const Rounding& rounding,
                            Control& control) const;
  Attempt attempt(const NonsmoothState& from, int level, double end, Control& control);
  Rounding rounding_of(const NonsmoothState& from, const NonsmoothState& to) const;
  double difference(const NonsmoothState& a, const NonsmoothState& b, const Rounding& rounding,
                    Control& control) const;
  [[noreturn]] void fail(const NonsmoothState& from, const Attempt& attempt) const;

  Make make_;
  ControlledStepOptions options_;
  /// The methods with steps of length T 2^-k, by k.
  std::map<int, std::unique_ptr<NonsmoothIntegrator<Engine>>> methods_;
  /// The method with the step length of the first attempt, whose name and other properties are those of all
  /// methods.
  const NonsmoothIntegrator<Engine>* initial_method_;
  double largest_residual_ = 0;
};

}  // namespace halfdof
