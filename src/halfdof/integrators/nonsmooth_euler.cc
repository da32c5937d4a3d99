#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth_euler.h>
#include <halfdof/linear_algebra/instantiate.h>

namespace halfdof {

template <class Engine>
NonsmoothEuler<Engine>::NonsmoothEuler(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                       double time_step)
    : StageIntegrator<Engine>(inclusions, outcome, "implicit Euler", time_step, mean_rules(outcome),
                              {1., 1.}) {
  for (const Index j : outcome.directions_in(Cell::measure_inclusion)) {
    const Inclusion& inclusion = inclusions.acting()[inclusions.inclusion_of(j)];
    if (inclusion.law->restitution().value_or(0.) > 0)
      throw InvalidInput("The contact \"" + inclusion.name + "\" has the coefficient of restitution " +
                         number_text(*inclusion.law->restitution()) +
                         ", but implicit Euler closes contacts without rebound. Use Moreau-Jean, or set the "
                         "coefficient to zero.");
  }
}

template class NonsmoothEuler<InstantiatedEngine>;

}  // namespace halfdof
