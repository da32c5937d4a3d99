// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/stage_rules.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/linear_algebra/instantiate.h>

namespace halfdof {

using namespace internal;

template <class Engine>
NonsmoothEuler<Engine>::NonsmoothEuler(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                       double time_step)
    : StageIntegrator<Engine>(inclusions, outcome, "implicit Euler", time_step,
                              {mean_rules(outcome), 1., 1.}) {
  for (const Index j : outcome.directions_in(ReducedLaw::measure_inclusion)) {
    const Inclusion& inclusion = inclusions.acting()[inclusions.inclusion_of(j)];
    if (inclusion.law->restitution().value_or(0.) > 0)
      throw InvalidInput("The contact \"" + inclusion.name + "\" has the coefficient of restitution " +
                         number_text(*inclusion.law->restitution()) +
                         ", but implicit Euler closes contacts without rebound. Use Moreau-Jean, or set the "
                         "coefficient to zero.");
  }
}

template <class Engine>
std::vector<Check> NonsmoothEuler<Engine>::kept_exactly() const {
  return {Check::balance,    Check::gap, Check::penetration,     Check::reaction,   Check::impulse,
          Check::kinematics, Check::law, Check::complementarity, Check::variational};
}

template class NonsmoothEuler<InstantiatedEngine>;

}  // namespace halfdof
