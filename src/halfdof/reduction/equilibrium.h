#pragma once

#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/**
 * A state near a given one at which nothing moves under the loads of its time, y' = 0; rates of the guess do
 * not count. A linear system is solved at once. Where the system depends on its state, linearized steps of
 * implicit Euler from rest lead there,
 * @f[ (\sigma I - A)\, \Delta y = \dot y, @f]
 * with A about each iterate. They are Newton's iteration at @f$\sigma = 0@f$, while another step by the same
 * matrices would be at most half as large, and otherwise shorter steps by a larger @f$\sigma@f$, which
 * becomes smaller again with each step that is taken (Kelley, Keyes, SIAM J. Numer. Anal. 35, 1998). Sizes
 * are @f$ (\sum_i (\sigma^2 |M_{ii}| + \sigma |C_{ii}| + |K_{ii}|)\, \Delta q_i^2)^{1/2} @f$, so that
 * units of the DoFs do not matter.
 *
 * The iteration ends where no displacement changes by more than NewtonOptions::tolerance of itself, or by
 * more than the rounding of the forces moves it, and no force out of balance is larger than that part of the
 * terms of its equation. Far from the guess it prefers a rest that is stable, because masses go there.
 *
 * @throws SingularElimination with the block "K" if the system is linear and the stiffness of its free DoFs
 * is singular (condition_number() of at least the default EliminationOptions::condition_limit, and null
 * vectors), SingularMatrix if no motion that nothing holds is found: dofs()
 * lists those with the largest entries in motions that nothing holds. Loads that such motions do not feel are
 * refused, too, because the rest is not unique. NoConvergence if a system that depends on its state finds
 * none in four times NewtonOptions::max_iterations steps, with the largest force out of balance; KindChange,
 * SingularElimination or NoConvergence at the guess. Collective.
 */
template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const State& guess);

/**
 * The state at which a linear system rests under a load in the place of its own f(t),
 * @f[ K_{ff} q_f = f_f - K_{fD} q_D - C_{fD} \dot q_D - M_{fD} \ddot q_D, @f]
 * with its prescribed motion as it is at that time: supports that slide with a constant velocity act through
 * their dampers.
 *
 * @param load On the local assembled DoFs; what acts on constrained ones moves nothing @param time [s]
 * @throws InvalidInput if the load has another size or is not finite; SingularElimination as above;
 * NotAvailable if the system depends on its state (give it the load in its description), or if the load
 * acts on an equation that is a constraint. Collective.
 */
template <class Engine>
State equilibrium(const ReducedSystem<Engine>& reduced, const Vector& load, double time = 0);

}  // namespace halfdof
