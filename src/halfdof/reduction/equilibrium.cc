#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/equilibrium.h>
#include <halfdof/reduction/state_dependence.h>

#include <string>

namespace halfdof {

template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const State& guess) {
  const NewtonOptions newton =
      reduced.depends_on_state() ? reduced.state_dependence()->options.newton : NewtonOptions();
  State state = guess;
  double change = 0;
  for (int k = 0; k < newton.max_iterations; ++k) {
    const ReducedSystem<Engine> here = reduced.about(state);
    const Vector step = here.shifted(0.).solve(here.apply(state));
    state.y += step;
    const double size = norm(reduced.communicator(), state.y);
    change = size > 0 ? norm(reduced.communicator(), step) / size : 0.;
    if (!reduced.depends_on_state() || change <= newton.tolerance) return state;
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
