#pragma once

#include <halfdof/integrators/fixed_step.h>
#include <halfdof/integrators/implicit_step.h>

namespace halfdof {

/**
 * The implicit Euler method on the reduced state:
 * @f[ y_{n+1} = y_n + h\,(A y_{n+1} + B F_{n+1}); @f]
 * with @f$ \delta = y_{n+1} - y_n @f$
 * @f[ (\sigma E - A)\,\delta = A y_n + B F_{n+1}, \qquad \sigma = 1/h. @f]
 * First order and L-stable: everything stiff vanishes, and much that is not is damped too. One solve and two
 * sparse products a step. Dense output is linear.
 */
template <class Engine>
class ImplicitEuler final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]. @throws InvalidInput if it is not.
  ImplicitEuler(const ReducedSystem<Engine>& reduced, double time_step);

  std::string name() const override { return "implicit Euler"; }

 protected:
  Vector take_step(const State& from, double step, double end) override;
  void forget_tangents(const State&) override { implicit_ = {}; }
  std::string advice() const override { return a_stable_advice; }

 private:
  PerStepLength<ImplicitStep<Engine, double>> implicit_;
};

}  // namespace halfdof
