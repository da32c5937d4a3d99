#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/equilibrium.h>
#include <halfdof/reduction/state_dependence.h>

#include <algorithm>
#include <string>

namespace halfdof {

namespace {

/// What rounding makes of a step from y: A^{-1} A y - y, whose products cancel as those of y' do at a rest.
template <class Engine>
Vector rounding_of_step(const ReducedSystem<Engine>& here, const ShiftedSystem<Engine, double>& solver,
                        const Vector& y) {
  const Vector image = here.apply_homogeneous(ConstView<double>(y));
  return y + solver.solve(image);
}

}  // namespace

template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const State& guess) {
  const NewtonOptions newton =
      reduced.depends_on_state() ? reduced.state_dependence()->options.newton : NewtonOptions();
  State state = guess;
  double change = 0, rounding = 0;
  for (int k = 0; k < newton.max_iterations; ++k) {
    const ReducedSystem<Engine> here = reduced.about(state);
    const ShiftedSystem<Engine, double> solver = here.shifted(0.);
    const Vector step = solver.solve(here.apply(state)), noise = rounding_of_step(here, solver, state.y);
    const double size_before = norm(reduced.communicator(), state.y);
    state.y += step;
    const double size = std::max(size_before, norm(reduced.communicator(), state.y));
    if (!reduced.depends_on_state() || size == 0) return state;
    change = norm(reduced.communicator(), step) / size;
    rounding = std::max(rounding, norm(reduced.communicator(), noise) / size);
    if (change <= std::max(newton.tolerance, rounding)) return state;
  }
  throw NoConvergence(
      "No equilibrium at t = " + number_text(guess.time) + " was found in " +
          std::to_string(newton.max_iterations) + " iterations: the last change was " + number_text(change) +
          " of the state. Start nearer to it, raise the load in steps, or check the tangents of the "
          "state force.",
      change);
}

template State equilibrium(const ReducedSystem<InstantiatedEngine>&, const State&);

}  // namespace halfdof
