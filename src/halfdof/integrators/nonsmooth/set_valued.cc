// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/nonsmooth/explicit_step.h>
#include <halfdof/linear_algebra/instantiate.h>

namespace halfdof {

using namespace internal;

template <class Engine>
SetValuedEuler<Engine>::SetValuedEuler(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                       double time_step)
    : ExplicitInclusions<Engine>(inclusions, outcome, "set-valued Euler", time_step, {{0., 1.}}) {}

template <class Engine>
SetValuedRungeKutta<Engine>::SetValuedRungeKutta(const Inclusions<Engine>& inclusions,
                                                 const InclusionOutcome& outcome, double time_step)
    : ExplicitInclusions<Engine>(inclusions, outcome, "set-valued Runge-Kutta", time_step, four_stages()) {}

template class SetValuedEuler<InstantiatedEngine>;
template class SetValuedRungeKutta<InstantiatedEngine>;

}  // namespace halfdof
