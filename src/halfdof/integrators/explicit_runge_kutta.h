#pragma once

#include <halfdof/integrators/fixed_step.h>

namespace halfdof {

/**
 * The classical Runge-Kutta method of order 4 on the reduced state, y' = f(t, y) = A y + B F(t):
 * @f[ y_{n+1} = y_n + \tfrac{h}{6} (k_1 + 2 k_2 + 2 k_3 + k_4), \quad
 *     k_1 = f(t_n, y_n), \; k_2 = f(t_n + \tfrac{h}{2}, y_n + \tfrac{h}{2} k_1), \;
 *     k_3 = f(t_n + \tfrac{h}{2}, y_n + \tfrac{h}{2} k_2), \; k_4 = f(t_n + h, y_n + h k_3). @f]
 * Four solves with D a step: for systems whose D is cheap (a lumped mass) and whose fastest motion is of
 * interest. Stable only for h up to largest_stable_step(); above it the state blows up, which is reported.
 * Dense output is the cubic Hermite polynomial (one more solve an output time, error O(h^4)).
 */
template <class Engine>
class ExplicitRungeKutta final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]. @throws InvalidInput if it is not.
  ExplicitRungeKutta(const ReducedSystem<Engine>& reduced, double time_step);

  std::string name() const override { return "explicit Runge-Kutta"; }

 protected:
  Vector take_step(const State& from, double step, double end) override;
  Vector interpolate_step(const State& begin, const State& end, double theta) const override;
  bool is_implicit() const override { return false; }
  std::string advice() const override;

 private:
  Vector k1_;  ///< of the last step
};

/**
 * Estimate of the largest h [s] for which ExplicitRungeKutta is stable: the smallest, over the eigenvalues
 * lambda of A of largest modulus, of the h at which h lambda leaves the method's region of stability
 * @f$ |1 + z + z^2/2 + z^3/6 + z^4/24| \le 1 @f$ (at -2.785 on the negative real axis, at 2.828 i on the
 * imaginary one). Eigenvalues with a positive real part count as if on the imaginary axis. Infinite where all
 * eigenvalues are zero.
 *
 * The eigenvalues come from a Krylov-Schur iteration with A, to a relative accuracy of about one in a
 * thousand: stay some percent below. Costs some dozens of solves with D. Collective. @throws NoConvergence
 */
template <class Engine>
double largest_stable_step(const ReducedSystem<Engine>& reduced);

/// @throws InvalidInput, with the limit, if time_step is above largest_stable_step().
template <class Engine>
void require_stable_step(const ReducedSystem<Engine>& reduced, double time_step);

}  // namespace halfdof
