#pragma once

#include <halfdof/integrators/nonsmooth_integrator.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace halfdof {

struct ControlledStepOptions {
  /// Error that a run may end with, relative to the largest displacement and the largest rate so far.
  double relative_tolerance = 1e-4;
  double run_length = 0;  ///< T [s], over which errors add up
  /// Of what loads and prescribed motions are made: steps end at their kinks and resolve them, as they do the
  /// functions of laws.
  std::vector<ScalarFunction> functions;
};

/**
 * A method with steps of one length, whose length is chosen step by step. What a step is wrong by is twice
 * its difference e from two steps of half its length, in displacements and rates, each relative to the
 * largest so far: what comes first may grow with the motion. A contact that ends it deeper inside its
 * obstacle counts likewise. Steps are taken with
 * @f[ 2 e \le \mathrm{tol}\; h / T, \qquad h = T\, 2^{-k}, @f]
 * so that the errors of all of them stay below the tolerance where they add up. Where something happens in
 * a step, an impact or the change of a state, or e falls so slowly with h that something jumps, no h brings
 * it to that: there 2 e <= tol, once for each of these instants, whose errors may add up. Friction that
 * breaks loose within the step counts with what that makes of its rate. A step that is twice as long is tried
 * where e is an eighth of what it may be.
 *
 * The steps that are taken are those of the method, so that it keeps exactly what it keeps otherwise.
 * Lengths are T divided by powers of two, but at kinks of functions of time and ends of runs: few
 * factorizations serve all. Each step costs three. The bound is a cautious one: smooth motions end below the
 * tolerance, with generalized-alpha far below it, by more steps than are needed. What happens between the
 * instants that all three look at goes unseen where no ScalarFunction tells of it: loads in C++ with short
 * pulses.
 *
 * DoFs without mass and damping follow the loads at once, and their errors do not add up: theirs is how far
 * the gaps of inclusions on algebraic DoFs are off a straight line within a step, and off those of its halves
 * at the end, which has to be below the tolerance.
 *
 * A state remembers k and the largest displacement and rate, behind what the method does.
 */
template <class Engine>
class ControlledStep final : public NonsmoothIntegrator<Engine> {
 public:
  /// The method with steps of a length [s].
  using Make = std::function<std::unique_ptr<NonsmoothIntegrator<Engine>>(
      const Inclusions<Engine>&, const InclusionOutcome&, double step)>;

  /// @throws InvalidInput if an option is out of range, or as make() does; NotAvailable of systems with a
  /// state force
  ControlledStep(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, Make make,
                 ControlledStepOptions options);
  ControlledStep(const ControlledStep&) = delete;
  ControlledStep& operator=(const ControlledStep&) = delete;

  std::string name() const override { return first_->name() + " with controlled steps"; }
  double end_weight() const override { return first_->end_weight(); }
  ImpactLaw impact_law() const override { return first_->impact_law(); }
  double largest_residual() const override { return largest_residual_; }
  std::vector<Check> kept_exactly() const override { return first_->kept_exactly(); }

 protected:
  bool is_implicit() const override { return false; }
  /// Never: see the constructor.
  void renew(const Inclusions<Engine>&, const InclusionOutcome&) override {}
  NonsmoothState advance(const NonsmoothState& from, double limit,
                         std::vector<ContactEvent>& events) override;
  std::string advice() const override {
    return "Look at the loads and the laws, and give a smaller tolerance.";
  }

 private:
  /// What a state remembers of the control.
  struct Control {
    int level;  ///< k
    double displacement, rate;
  };
  struct Rounding {
    double displacement, rate;
  };
  /// One way over a step.
  struct Trial {
    NonsmoothState end;
    std::vector<ContactEvent> events;
    double residual;
  };
  struct Attempt {
    Trial step;
    double error;       ///< 2 e
    double at_once;     ///< error of what follows loads at once
    bool has_happened;  ///< something, in a step or in its halves
  };
  NonsmoothIntegrator<Engine>& method(int level);
  double length(int level) const;
  Control control_of(const NonsmoothState& from) const;
  NonsmoothState without_control(const NonsmoothState& from) const;
  int level_that_resolves(const NonsmoothState& from, int level, double limit, double& end);
  void advance_trial(int level, double end, Trial& trial);
  double penetration(const NonsmoothState& from, const NonsmoothState& to) const;
  double rate_error_of_breaking_loose(const NonsmoothState& from, const NonsmoothState& to,
                                      const Vector& first, const Vector& second) const;
  double error_at_once(const NonsmoothState& from, const NonsmoothState& to, const Vector& middle,
                       const NonsmoothState& by_halves, const Rounding& rounding, Control& control) const;
  Attempt attempt(const NonsmoothState& from, int level, double end, Control& control);
  Rounding rounding_of(const NonsmoothState& from, const NonsmoothState& to) const;
  double difference(const NonsmoothState& a, const NonsmoothState& b, const Rounding& rounding,
                    Control& control) const;
  [[noreturn]] void fail(const NonsmoothState& from, const Attempt& attempt) const;

  Make make_;
  ControlledStepOptions options_;
  std::map<int, std::unique_ptr<NonsmoothIntegrator<Engine>>> methods_;  ///< by k
  const NonsmoothIntegrator<Engine>* first_;
  double largest_residual_ = 0;
};

}  // namespace halfdof
