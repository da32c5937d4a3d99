#include <halfdof/base/errors.h>
#include <halfdof/integrators/fixed_step.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <cmath>
#include <limits>
#include <string>

namespace halfdof {

template <class Engine>
FixedStepIntegrator<Engine>::FixedStepIntegrator(const ReducedSystem<Engine>& reduced, const char* name,
                                                 double time_step)
    : Integrator<Engine>(reduced), time_step_(time_step) {
  if (!(time_step > 0) || !std::isfinite(time_step))
    throw InvalidInput(std::string("The time step of ") + name + " is " + std::to_string(time_step) +
                       " s. Give a positive, finite one.");
}

template <class Engine>
void FixedStepIntegrator<Engine>::start(const State& state) {
  origin_ = state.time;
  n_steps_ = 0;
}

template <class Engine>
State FixedStepIntegrator<Engine>::advance(const State& from, double limit) {
  double step = time_step_;
  double end = origin_ + static_cast<double>(n_steps_ + 1) * time_step_;
  if (!(end > from.time))
    throw InvalidInput("A " + this->name() + " step of " + std::to_string(time_step_) +
                       " s does not change the time " + std::to_string(from.time) +
                       " s in double precision. Give a longer step, or count the time from another origin.");

  // What rounding of the times, and of a step computed as (end - begin) / n, can amount to.
  const double rounding = 1e-10 * time_step_ + 8 * std::numeric_limits<double>::epsilon() * std::abs(end);
  const bool last = end > limit - rounding;
  if (last) {
    if (std::abs(end - limit) > rounding) step = limit - from.time;
    end = limit;
  }
  State to{end, take_step(from, step, end)};
  ++n_steps_;
  if (last) FixedStepIntegrator::start(to);
  return to;
}

template class FixedStepIntegrator<InstantiatedEngine>;

}  // namespace halfdof
