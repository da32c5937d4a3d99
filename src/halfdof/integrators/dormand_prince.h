#pragma once

#include <halfdof/integrators/integrator.h>

#include <memory>

namespace halfdof {

/// Error per step of an entry y_i: at most absolute_tolerance + relative_tolerance |y_i|.
struct DormandPrinceOptions {
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-9;  ///< in the units of the states
  double initial_step = 0;           ///< [s]; 0: from the first derivative
  double largest_step = 0;           ///< [s]; 0: without limit
};

/**
 * The adaptive Runge-Kutta method of Dormand and Prince (1980), order 5(4), handed over to Boost.odeint: for
 * small systems that are not stiff. One process only. Six solves with D a try. Steps are shortened where they
 * would pass the end time, so that it is hit exactly, and where a StateForce has no solution, or DoFs of
 * another kind, at a stage of a try. Dense output is odeint's, of order 4.
 *
 * For another stepper of odeint, hand it OdeintSystem.
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

  /// Whether a try was good. Changes the time if it was, and the step to the one to take next.
  bool try_step(double& time, double& step);
  /// Length of the first step (Hairer, Norsett, Wanner 1993, section II.4, without the second derivative).
  double first_step(const State& state) const;

  DormandPrinceOptions options_;
  std::unique_ptr<Stepper> stepper_;
  double next_step_ = 0;  ///< [s], as the error control proposes
  GlobalIndex n_accepted_ = 0, n_rejected_ = 0;
};

/// The reduced system as Boost.odeint wants it: y' = A y + B F(t), states as std::vector<double>.
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
