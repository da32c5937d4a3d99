#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/equilibrium.h>
#include <halfdof/reduction/force_rounding.h>
#include <halfdof/reduction/state_dependence.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace halfdof {

namespace {

/// Rounding is measured by its mean size in some samples of one rounding each.
constexpr Index n_samples = 4;
constexpr double roundings = 16;

/// What rounding of the forces moves each entry of y. What it does to v_I, which is zero at a rest, is
/// nothing.
template <class Engine>
Vector rounding_of_rest(const ReducedSystem<Engine>& here, const ShiftedSystem<Engine, double>& solver,
                        const State& state) {
  const MultiVector x = solver.pencil().solve(force_rounding(here, state, here.load(state), n_samples));
  const MultiVector x_I = here.classification().inertial().restrict(x),
                    x_C = here.classification().viscous().restrict(x);
  MultiVector y(state.y.size(), n_samples);
  y << x_I, x_C, MultiVector::Zero(x_I.rows(), n_samples);
  return roundings / std::sqrt(static_cast<double>(n_samples)) * y.rowwise().norm();
}

/// The largest change of an entry relative to itself, among those that are more than rounding.
double largest_change(const Vector& step, const Vector& y, const Vector& rounding) {
  double largest = 0;
  for (Index i = 0; i < step.size(); ++i) {
    const double change = std::abs(step[i]);
    if (change <= rounding[i]) continue;
    if (std::isnan(change)) return change;
    largest = std::max(largest, change / std::abs(y[i]));
  }
  return largest;
}

}  // namespace

template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const State& guess) {
  const NewtonOptions newton =
      reduced.depends_on_state() ? reduced.state_dependence()->options.newton : NewtonOptions();
  const Communicator& communicator = reduced.communicator();
  State state = guess;
  double change = 0;
  for (int k = 0; k < newton.max_iterations; ++k) {
    const ReducedSystem<Engine> here =
        k == 0 ? reduced.about(state) : at_trial(state.time, [&] { return reduced.about(state); });
    const ShiftedSystem<Engine, double> solver = here.shifted(0.);
    const Vector step = solver.solve(here.apply(state));
    const State before = state;
    state.y += step;
    if (!reduced.depends_on_state()) return state;
    change = communicator.max(largest_change(step, state.y, Vector::Zero(step.size())));
    if (change <= newton.tolerance) return state;
    change = communicator.max(largest_change(step, state.y, rounding_of_rest(here, solver, before)));
    if (change <= newton.tolerance) return state;
  }
  throw NoConvergence("No equilibrium at t = " + number_text(guess.time) + " was found in " +
                          std::to_string(newton.max_iterations) +
                          " iterations: the last change of a displacement was " + number_text(change) +
                          " of itself. Start nearer to it, raise the load in steps, or check the tangents of "
                          "the state force.",
                      change);
}

template State equilibrium(const ReducedSystem<InstantiatedEngine>&, const State&);

}  // namespace halfdof
