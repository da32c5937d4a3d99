#pragma once

#include <halfdof/integrators/fixed_step.h>
#include <halfdof/integrators/implicit_step.h>

namespace halfdof {

struct GeneralizedAlphaOptions {
  /// rho_inf in [0, 1]: the factor by which a step multiplies what is infinitely stiff. 0 removes it at once,
  /// 1 (the midpoint rule) keeps it for ever, and conserves energy.
  double spectral_radius = 0.8;
};

/**
 * The generalized-alpha method for first-order systems (Jansen, Whiting, Hulbert 2000, Eqs. (14)-(17)), on
 * the reduced state:
 * @f[ \dot y_{n+\alpha_m} = A\, y_{n+\alpha_f} + B\,F(t_{n+\alpha_f}), \qquad
 *     y_{n+1} = y_n + h\,((1-\gamma)\,\dot y_n + \gamma\,\dot y_{n+1}), @f]
 * where @f$ x_{n+\alpha} = x_n + \alpha (x_{n+1} - x_n) @f$ and
 * @f[ \alpha_m = \frac{3-\rho_\infty}{2(1+\rho_\infty)}, \qquad
 *     \alpha_f = \gamma = \frac{1}{1+\rho_\infty}. @f]
 * Second order, and stable for every h where the system is. With @f$ \delta = y_{n+\alpha_f} - y_n @f$ a step
 * is
 * @f[ (\sigma E - A)\,\delta = A y_n + \tfrac{1-\rho_\infty}{2}\,\dot y_n + B F(t_{n+\alpha_f}), \qquad
 *     \sigma = \frac{\alpha_m}{\alpha_f \gamma h} = \frac{(3-\rho_\infty)(1+\rho_\infty)}{2h}, @f]
 * @f[ y_{n+1} = y_n + (1+\rho_\infty)\,\delta, \qquad
 *     \dot y_{n+1} = \frac{(1+\rho_\infty)^2}{h}\,\delta - \rho_\infty\,\dot y_n : @f]
 * one solve with @f$ \sigma^2 M + \sigma C + K @f$, factorized once, and two sparse products; see
 * ImplicitStep.
 *
 * Dense output is linear: its error, at most h^2 / 8 times the second derivative, is of the order of the
 * method, and it never overshoots where a stiff motion is not resolved.
 *
 * @code
 * GeneralizedAlpha(reduced, time_step).run(state, end_time, [](const auto& now) { plot(now.lift()); });
 * @endcode
 */
template <class Engine>
class GeneralizedAlpha final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]. @throws InvalidInput if it is not, or the spectral radius is not in [0, 1].
  GeneralizedAlpha(const ReducedSystem<Engine>& reduced, double time_step,
                   const GeneralizedAlphaOptions& options = {});

  std::string name() const override { return "generalized-alpha"; }

 protected:
  void start(const State& state) override;
  Vector take_step(const State& from, double step, double end) override;
  void accept() override { rate_.swap(next_rate_); }
  void forget_tangents(const State&) override { implicit_ = {}; }
  std::string advice() const override { return a_stable_advice; }

 private:
  double rho_;
  Vector rate_, next_rate_;  ///< y'_n and y'_{n+1} of the method; unused where rho_inf is one
  PerStepLength<ImplicitStep<Engine, double>> implicit_;
};

}  // namespace halfdof
