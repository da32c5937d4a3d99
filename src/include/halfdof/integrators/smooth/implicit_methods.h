// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/smooth/integrator.h>

#include <memory>

namespace halfdof {

/**
 * The implicit Euler method on the reduced state:
 * @f[ y_{n+1} = y_n + h\,(A y_{n+1} + B F_{n+1}), @f]
 * that is, with @f$ \delta = y_{n+1} - y_n @f$,
 * @f[ (\sigma E - A)\,\delta = A y_n + B F_{n+1}, \qquad \sigma = 1/h. @f]
 * The method is of first order and L-stable: stiff motions vanish, and slower motions are damped strongly,
 * too. A step costs one solve and two sparse products. Dense output is linear.
 */
template <class Engine>
class ImplicitEuler final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s] @throws InvalidInput unless time_step is positive
  ImplicitEuler(const ReducedSystem<Engine>& reduced, double time_step);

  std::string name() const override { return "implicit Euler"; }

 protected:
  Vector take_step(const State& from, double step, double end) override;
};

/**
 * The trapezoidal rule (Newmark's method with constant average acceleration) on the reduced state:
 * @f[ y_{n+1} = y_n + \tfrac{h}{2} \left( A (y_n + y_{n+1}) + B (F_n + F_{n+1}) \right). @f]
 * With @f$ \delta = (y_{n+1} - y_n) / 2 @f$ a step is
 * @f[ (\sigma E - A)\,\delta = A y_n + B\, \tfrac{1}{2} (F_n + F_{n+1}), \qquad \sigma = 2/h, @f]
 * that is, GeneralizedAlpha with spectral radius one and the mean of the loads at both ends instead of the
 * load in the middle. The method is of second order and A-stable, without numerical damping, and the energy
 * balance holds up to rounding. A step costs one solve and two sparse products. Dense output is linear, as in
 * GeneralizedAlpha.
 */
template <class Engine>
class Trapezoidal final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s] @throws InvalidInput unless time_step is positive
  Trapezoidal(const ReducedSystem<Engine>& reduced, double time_step);

  std::string name() const override { return "trapezoidal rule"; }

 protected:
  void start(const State& state) override;
  Vector take_step(const State& from, double step, double end) override;
  void accept() override { load_.swap(next_load_); }
  void forget_tangents(const State& from) override;

 private:
  Vector load_, next_load_;  ///< The loads F_n and F_{n+1} at the ends of the step.
  Vector rhs_;
};

struct GeneralizedAlphaOptions {
  /// The spectral radius rho_inf in [0, 1], the factor by which a step multiplies the amplitude of infinitely
  /// stiff motions. With rho_inf = 0 stiff motions vanish in one step; with rho_inf = 1 (the midpoint rule)
  /// stiff motions persist and energy is conserved.
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
 * The method is of second order, and stable for every h if the system is stable. With
 * @f$ \delta = y_{n+\alpha_f} - y_n @f$ a step is
 * @f[ (\sigma E - A)\,\delta = A y_n + \tfrac{1-\rho_\infty}{2}\,\dot y_n + B F(t_{n+\alpha_f}), \qquad
 *     \sigma = \frac{\alpha_m}{\alpha_f \gamma h} = \frac{(3-\rho_\infty)(1+\rho_\infty)}{2h}, @f]
 * @f[ y_{n+1} = y_n + (1+\rho_\infty)\,\delta, \qquad
 *     \dot y_{n+1} = \frac{(1+\rho_\infty)^2}{h}\,\delta - \rho_\infty\,\dot y_n . @f]
 * A step costs one solve with @f$ \sigma^2 M + \sigma C + K @f$, which is factorized once, and two sparse
 * products.
 *
 * Dense output is linear. The error of linear interpolation, at most h^2 / 8 times the second derivative, is
 * of the order of the method, and linear interpolation does not overshoot if a stiff motion is not resolved.
 *
 * @code
 * GeneralizedAlpha(reduced, time_step).run(state, end_time, [](const auto& now) { plot(now.lift()); });
 * @endcode
 */
template <class Engine>
class GeneralizedAlpha final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]
  /// @throws InvalidInput unless time_step is positive and the spectral radius is in [0, 1]
  GeneralizedAlpha(const ReducedSystem<Engine>& reduced, double time_step,
                   const GeneralizedAlphaOptions& options = {});

  std::string name() const override { return "generalized-alpha"; }

 protected:
  void start(const State& state) override;
  Vector take_step(const State& from, double step, double end) override;
  void accept() override { rate_.swap(next_rate_); }

 private:
  double rho_;
  Vector rate_, next_rate_;  ///< The rates y'_n and y'_{n+1} of the method; unused if rho_inf is one.
};

/**
 * The Radau IIA method with three stages (Hairer, Wanner 1996, section IV.5, Table 5.6) on the reduced state:
 * collocation at @f$ c = ((4-\sqrt 6)/10,\ (4+\sqrt 6)/10,\ 1) @f$,
 * @f[ Z_i = h \sum_j a_{ij} \left( A (y_n + Z_j) + B F(t_n + c_j h) \right), \qquad y_{n+1} = y_n + Z_3. @f]
 * The method is of order 5 and L-stable. With the eigenvalues @f$\lambda_k@f$ of the inverse of (a_ij), one
 * real and a complex pair, and its left and right eigenvectors @f$ l_k^T t_k = 1 @f$, the stages decouple
 * (ibid., section IV.8) into one real and one complex system:
 * @f[ (\lambda_k / h\, E - A)\, w_k = (l_k^T 1)\, A y_n + B \sum_j l_{kj} F(t_n + c_j h), \qquad
 *     Z_j = t_{1j} w_1 + 2\,\mathrm{Re}(t_{2j} w_2). @f]
 * A linear system needs no Newton iteration. The eigenvectors are computed by the constructor. Dense output
 * is the collocation polynomial, of degree 3.
 */
template <class Engine>
class RadauIIA5 final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s] @throws InvalidInput unless time_step is positive
  RadauIIA5(const ReducedSystem<Engine>& reduced, double time_step);

  ~RadauIIA5() override;
  RadauIIA5(RadauIIA5&&) noexcept;
  RadauIIA5& operator=(RadauIIA5&&) noexcept;

  std::string name() const override { return "Radau IIA of order 5"; }

 protected:
  Vector take_step(const State& from, double step, double end) override;
  Vector interpolate_step(const State& begin, const State& end, double theta) const override;
  void forget_tangents(const State& from) override;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof
