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

template <class Engine>
auto NonsmoothEuler<Engine>::linear_part(const NonsmoothState& from, double /*step*/, double end,
                                         double sigma) -> typename StageIntegrator<Engine>::LinearPart {
  const auto& reduced = this->reduced();
  const Vector v_I = reduced.v_I(from.y);
  return {elastic_residual(reduced, from.y, this->load(end)) + momentum(reduced, sigma * v_I),
          v_I,
          std::nullopt,
          {}};
}

template class NonsmoothEuler<InstantiatedEngine>;

}  // namespace halfdof
