#pragma once

#include <halfdof/integrators/integrator.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/integrators/trial_load.h>

#include <optional>

namespace halfdof {

/**
 * An integrator with steps of one length h. They end at t_0 + h, t_0 + 2 h, ... (multiplied, not added up),
 * and the last step of a run is shortened where that is needed to hit the end time exactly: whatever was
 * factorized for h is kept, and one more factorization serves the shorter step. An end time that misses the
 * grid by rounding alone is hit with a step of length h.
 */
template <class Engine>
class FixedStepIntegrator : public Integrator<Engine> {
 public:
  /// h [s]
  double time_step() const { return time_step_; }

 protected:
  /// @throws InvalidInput unless time_step is positive and finite.
  FixedStepIntegrator(const ReducedSystem<Engine>& reduced, const char* name, double time_step);

  void start(const State& state) override;
  State advance(const State& from, double limit) final;

  /// The state y at from.time + step, a time that is also given as `end`. Called several times for one step
  /// where the system depends on its state: what is remembered from step to step changes in accept() alone.
  virtual Vector take_step(const State& from, double step, double end) = 0;
  /// The step that was taken last counts.
  virtual void accept() {}
  /// Whether take_step() asks for load().
  virtual bool is_implicit() const { return true; }
  /// F at a time of the step: in implicit steps of systems with a StateForce, of the last trial.
  Vector load(double time);

 private:
  Vector solve_step(const State& from, const TimeGrid::Step& step);
  Vector take_step_with_other_rounding(const State& from, const TimeGrid::Step& step,
                                       const std::optional<State>& before);

  double time_step_;
  TimeGrid grid_;
  TrialLoad<Engine> trial_load_;
  State begin_;                    ///< of the step
  std::optional<State> end_;       ///< of the step, as the last trial had it
  bool rounds_otherwise_ = false;  ///< load(), to measure what rounding does
};

/// Integrator::advice() of methods that no step length can make unstable.
inline constexpr const char* a_stable_advice =
    "The method is stable for every step, so the system itself is unstable (look for eigenvalues with a "
    "positive real part), or its load grows without bound.";

/// What depends on the length of the step: made once for the regular one, and again for a shortened one.
template <class T>
class PerStepLength {
 public:
  template <class Make>
  const T& get(double step, double regular_step, const Make& make) {
    Entry& entry = step == regular_step ? regular_ : shortened_;
    if (!entry.value || entry.step != step) entry = {step, make()};
    return *entry.value;
  }

 private:
  struct Entry {
    double step = 0;
    std::optional<T> value;
  };
  Entry regular_, shortened_;
};

}  // namespace halfdof
