// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/smooth/integrator.h>

#include <memory>

namespace halfdof {

/**
 * The classical Runge-Kutta method of order 4 on the reduced state, y' = f(t, y) = A y + B F(t):
 * @f[ y_{n+1} = y_n + \tfrac{h}{6} (k_1 + 2 k_2 + 2 k_3 + k_4), \quad
 *     k_1 = f(t_n, y_n), \; k_2 = f(t_n + \tfrac{h}{2}, y_n + \tfrac{h}{2} k_1), \;
 *     k_3 = f(t_n + \tfrac{h}{2}, y_n + \tfrac{h}{2} k_2), \; k_4 = f(t_n + h, y_n + h k_3). @f]
 * A step costs four solves with D. The method suits systems whose D is cheap to solve with (a lumped mass)
 * and whose fastest motion is of interest. It is stable only for h up to largest_stable_step(); with longer
 * steps the state blows up, which is reported. Dense output is the cubic Hermite polynomial (one more solve
 * for each output time, error O(h^4)).
 */
template <class Engine>
class ExplicitRungeKutta final : public FixedStepIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s] @throws InvalidInput unless time_step is positive
  ExplicitRungeKutta(const ReducedSystem<Engine>& reduced, double time_step);

  std::string name() const override { return "explicit Runge-Kutta"; }

 protected:
  Vector take_step(const State& from, double step, double end) override;
  Vector interpolate_step(const State& begin, const State& end, double theta) const override;
  bool is_implicit() const override { return false; }
  std::string advice() const override;

 private:
  Vector k1_;  ///< k_1 of the last step.
};

/**
 * Estimates the largest step length h [s] for which ExplicitRungeKutta is stable. For each eigenvalue lambda
 * of A of largest modulus there is a length h at which h lambda leaves the method's region of stability, and
 * the result is the smallest of these lengths. The region of stability is
 * @f$ |1 + z + z^2/2 + z^3/6 + z^4/24| \le 1 @f$, which ends at -2.785 on the negative real axis and at 2.828
 * i on the imaginary axis. An eigenvalue with a positive real part is treated as an eigenvalue on the
 * imaginary axis. The result is infinite if all eigenvalues are zero.
 *
 * The eigenvalues are computed by a Krylov-Schur iteration with A, to a relative accuracy of about 1e-3, so
 * that h should be some percent smaller than the result. The cost is some dozens of solves with D.
 * Collective. @throws NoConvergence
 */
template <class Engine>
double largest_stable_step(const ReducedSystem<Engine>& reduced);

/// Checks that time_step is at most largest_stable_step().
/// @throws InvalidInput with largest_stable_step() in the message otherwise
template <class Engine>
void require_stable_step(const ReducedSystem<Engine>& reduced, double time_step);

/// Options of DormandPrince. The estimated error per step of an entry y_i is at most
/// absolute_tolerance + relative_tolerance |y_i|.
struct DormandPrinceOptions {
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-9;  ///< Tolerance in the units of the states.
  double initial_step = 0;           ///< First step length [s]; 0: estimated from the first derivative.
  double largest_step = 0;           ///< Longest step [s]; 0: no limit.
};

/**
 * The adaptive Runge-Kutta method of Dormand and Prince (1980), order 5(4), as implemented in Boost.odeint,
 * for small systems that are not stiff. The method runs on one process only. Each attempted step costs six
 * solves with the mixed-column matrix D. A step is shortened if it would pass the end time, so that the run
 * ends exactly at the end time. A step is also shortened if the equations with a StateForce have no solution
 * at a stage, or DoFs change their kind at a stage. The dense output is that of odeint, of order 4.
 *
 * Other steppers of odeint can be used with OdeintSystem.
 */
template <class Engine>
class DormandPrince final : public Integrator<Engine> {
 public:
  /// @throws InvalidInput if a tolerance or step is negative or NaN, or both tolerances are zero;
  /// NotAvailable under MPI with several processes.
  explicit DormandPrince(const ReducedSystem<Engine>& reduced, const DormandPrinceOptions& options = {});
  ~DormandPrince() override;

  std::string name() const override { return "Dormand-Prince"; }
  GlobalIndex n_accepted() const { return n_accepted_; }
  GlobalIndex n_rejected() const { return n_rejected_; }

 protected:
  void start(const State& state) override;
  State advance(const State& from, double limit) override;
  Vector interpolate_step(const State& begin, const State& end, double theta) const override;
  void forget_tangents(const State& from) override;
  std::string advice() const override;

 private:
  struct Stepper;

  /// Attempts a step and returns whether the step was accepted. An accepted step advances `time`. In both
  /// cases `step` becomes the length of the next attempt.
  bool try_step(double& time, double& step);
  /// Returns the length of the first step (Hairer, Norsett, Wanner 1993, section II.4, without the second
  /// derivative).
  double first_step(const State& state) const;

  DormandPrinceOptions options_;
  std::unique_ptr<Stepper> stepper_;
  double next_step_ = 0;  ///< Step length that the error control proposes [s].
  GlobalIndex n_accepted_ = 0, n_rejected_ = 0;
};

/// The reduced system y' = A y + B F(t) in the form required by Boost.odeint, with states of type
/// std::vector<double>.
template <class Engine>
class OdeintSystem {
 public:
  explicit OdeintSystem(const ReducedSystem<Engine>& reduced) : reduced_(reduced) {}

  void operator()(const std::vector<double>& y, std::vector<double>& rate, double time) const {
    const auto size = static_cast<Eigen::Index>(y.size());
    Eigen::Map<Vector>(rate.data(), size) = reduced_.apply({time, Eigen::Map<const Vector>(y.data(), size)});
  }

 private:
  ReducedSystem<Engine> reduced_;
};

}  // namespace halfdof
