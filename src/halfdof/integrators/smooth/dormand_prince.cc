// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

using namespace internal;

namespace odeint = boost::numeric::odeint;

namespace {

/// Smallest step relative to the time. With shorter steps a run would not end in reasonable time.
constexpr double smallest_step = 100 * std::numeric_limits<double>::epsilon();

using Values = std::vector<double>;

/// If the equations have no solution at a stage, the step is multiplied by `shortening_factor`. The smallest
/// allowed ratio of the result to the longest step of the run is `smallest_ratio`. Without this limit the
/// error control would approach a point at which solutions cease to exist with shorter and shorter steps.
constexpr double shortening_factor = 0.2, smallest_ratio = 1e-12;

Values to_values(const Vector& y) {
  return Values(y.data(), y.data() + y.size());
}

Vector to_vector(const Values& y) {
  return Eigen::Map<const Vector>(y.data(), static_cast<Eigen::Index>(y.size()));
}

void check(const DormandPrinceOptions& options) {
  for (const double value :
       {options.relative_tolerance, options.absolute_tolerance, options.initial_step, options.largest_step})
    if (!(value >= 0) || !std::isfinite(value))
      throw InvalidInput("A tolerance or a step length of the Dormand-Prince integrator is " +
                         number_text(value) + ". Give a finite number that is not negative.");
  if (options.relative_tolerance + options.absolute_tolerance == 0)
    throw InvalidInput(
        "The relative and the absolute tolerance of the Dormand-Prince integrator are zero. Give a "
        "tolerance above 1e-14.");
}

}  // namespace

template <class Engine>
struct DormandPrince<Engine>::Stepper {
  using Method = odeint::runge_kutta_dopri5<Values>;
  using Controlled = odeint::controlled_runge_kutta<Method>;
  using Checker = Controlled::error_checker_type;
  using Adjuster = Controlled::step_adjuster_type;

  Stepper(const ReducedSystem<Engine>& reduced, const DormandPrinceOptions& options)
      : system(reduced),
        controlled(Checker(options.absolute_tolerance, options.relative_tolerance, 1., 0.),
                   Adjuster(options.largest_step), Method()) {}

  OdeintSystem<Engine> system;
  Controlled controlled;
  Values y, rate;              ///< State and derivative at the end of the last step.
  Values y_begin, rate_begin;  ///< State and derivative at the beginning of the last step.
  double longest = 0;          ///< Longest step that was attempted [s].
};

template <class Engine>
DormandPrince<Engine>::DormandPrince(const ReducedSystem<Engine>& reduced,
                                     const DormandPrinceOptions& options)
    : Integrator<Engine>(reduced), options_(options) {
  check(options);
  if (reduced.communicator().size() > 1)
    throw NotAvailable(
        "The Dormand-Prince integrator of Boost.odeint runs only on one process, but this system "
        "is distributed over " +
        std::to_string(reduced.communicator().size()) +
        " processes. Use one of the other integrators, or SUNDIALS.");
  stepper_ = std::make_unique<Stepper>(reduced, options);
}

template <class Engine>
DormandPrince<Engine>::~DormandPrince() = default;

template <class Engine>
void DormandPrince<Engine>::start(const State& state) {
  stepper_->longest = 0;
  stepper_->y = to_values(state.y);
  stepper_->rate = to_values(this->reduced().apply(state));
  stepper_->y_begin.resize(stepper_->y.size());
  stepper_->rate_begin.resize(stepper_->y.size());
  next_step_ = options_.initial_step > 0 ? options_.initial_step : first_step(state);
}

template <class Engine>
double DormandPrince<Engine>::first_step(const State& state) const {
  const Vector rate = to_vector(stepper_->rate);
  const Vector scale = options_.absolute_tolerance + options_.relative_tolerance * state.y.array().abs();
  double y_size = 0, rate_size = 0;
  for (Eigen::Index i = 0; i < rate.size(); ++i) {
    if (scale[i] == 0) continue;
    y_size = std::max(y_size, std::abs(state.y[i]) / scale[i]);
    rate_size = std::max(rate_size, std::abs(rate[i]) / scale[i]);
  }
  const double step = y_size < 1e-5 || rate_size < 1e-5 ? 1e-6 : 0.01 * y_size / rate_size;
  return options_.largest_step > 0 ? std::min(step, options_.largest_step) : step;
}

template <class Engine>
State DormandPrince<Engine>::advance(const State& from, double limit) {
  std::swap(stepper_->y, stepper_->y_begin);
  std::swap(stepper_->rate, stepper_->rate_begin);
  double time = from.time;
  double proposed = next_step_;
  while (true) {
    double step = std::min(proposed, limit - from.time);
    const bool is_last = step < proposed || step == limit - from.time;
    if (!(from.time + step > from.time) || (!is_last && step <= smallest_step * std::abs(from.time)))
      throw BlowUp("The step length of the Dormand-Prince integrator was reduced to " + number_text(step) +
                       " s at " + number_text(from.time) +
                       " s, and the error of the step still exceeds the tolerances. " + advice(),
                   from.time, -1);
    const double tried = step;
    if (try_step(time, step)) {
      ++n_accepted_;
      // If the end time has shortened the step, the longer proposed step is kept for the next one.
      next_step_ = tried < proposed ? std::max(proposed, step) : step;
      return {is_last ? limit : time, to_vector(stepper_->y)};
    }
    ++n_rejected_;
    proposed = step;
  }
}

template <class Engine>
bool DormandPrince<Engine>::try_step(double& time, double& step) {
  const double tried = step;
  stepper_->longest = std::max(stepper_->longest, tried);
  const auto shorten = [&] {
    step = shortening_factor * tried;
    if (step < smallest_ratio * stepper_->longest) throw;
    return false;
  };
  try {
    return stepper_->controlled.try_step(stepper_->system, stepper_->y_begin, stepper_->rate_begin, time,
                                         stepper_->y, stepper_->rate, step) == odeint::success;
  } catch (const NoConvergence&) {
    return shorten();
  } catch (const KindChange&) {
    return shorten();
  } catch (const SingularElimination&) {
    return shorten();
  }
}

template <class Engine>
Vector DormandPrince<Engine>::interpolate_step(const State& begin, const State& end, double theta) const {
  Values y(stepper_->y.size());
  stepper_->controlled.stepper().calc_state(begin.time + theta * (end.time - begin.time), y,
                                            stepper_->y_begin, stepper_->rate_begin, begin.time, stepper_->y,
                                            stepper_->rate, end.time);
  return to_vector(y);
}

template <class Engine>
void DormandPrince<Engine>::forget_tangents(const State&) {
  stepper_->system = OdeintSystem<Engine>(this->reduced());
}

template <class Engine>
std::string DormandPrince<Engine>::advice() const {
  return "The system is unstable, or too stiff for an explicit method: use RadauIIA5 or GeneralizedAlpha.";
}

template class DormandPrince<InstantiatedEngine>;

}  // namespace halfdof
