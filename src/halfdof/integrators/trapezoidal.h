#pragma once

#include <halfdof/integrators/fixed_step.h>
#include <halfdof/integrators/implicit_step.h>

namespace halfdof {

/**
 * The trapezoidal rule, Newmark's average acceleration, on the reduced state:
 * @f[ y_{n+1} = y_n + \tfrac{h}{2} \left( A (y_n + y_{n+1}) + B (F_n + F_{n+1}) \right). @f]
 * With @f$ \delta = (y_{n+1} - y_n) / 2 @f$ a step is
 * @f[ (\sigma E - A)\,\delta = A y_n + B\, \tfrac{1}{2} (F_n + F_{n+1}), \qquad \sigma = 2/h, @f]
 * that is, GeneralizedAlpha with spectral radius one and the mean of the end loads in place of the load in
 * the middle. Second order, A-stable, without numerical damping; the energy balance (energy.h) holds to
 * rounding. One solve and two sparse products a step. Dense output is linear, as in GeneralizedAlpha.
 */
template <class Engine>
class Trapezoidal final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]. @throws InvalidInput if it is not.
  Trapezoidal(const ReducedSystem<Engine>& reduced, double time_step);

  std::string name() const override { return "trapezoidal rule"; }

 protected:
  void start(const State& state) override;
  Vector take_step(const State& from, double step, double end) override;
  void accept() override { load_.swap(next_load_); }
  void forget_tangents(const State& from) override;
  std::string advice() const override { return a_stable_advice; }

 private:
  Vector load_, next_load_;  ///< F_n, F_{n+1}
  Vector rhs_;
  PerStepLength<ImplicitStep<Engine, double>> implicit_;
};

}  // namespace halfdof
