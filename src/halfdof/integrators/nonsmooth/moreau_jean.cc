// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/stage_rules.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <vector>

namespace halfdof {

using namespace internal;

namespace {

double checked_theta(double theta) {
  if (theta >= 0.5 && theta <= 1) return theta;
  throw InvalidInput("The parameter theta of the Moreau-Jean method is " + number_text(theta) +
                     ". Give a number from 1/2 (no numerical dissipation) to 1 (strong numerical "
                     "dissipation); below 1/2 the method is unstable.");
}

}  // namespace

template <class Engine>
MoreauJean<Engine>::MoreauJean(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               double time_step, const MoreauJeanOptions& options)
    : StageIntegrator<Engine>(inclusions, outcome, "Moreau-Jean", time_step,
                              {velocity_rules(outcome),
                               1 / checked_theta(options.theta),
                               options.theta,
                               {options.impact_law, options.corrects_positions}}),
      options_(options) {}

template <class Engine>
std::vector<Check> MoreauJean<Engine>::kept_exactly() const {
  std::vector<Check> kept = {Check::balance,    Check::penetration, Check::reaction,    Check::impulse,
                             Check::kinematics, Check::law,         Check::variational, Check::impact};
  if (options_.theta == 0.5) kept.insert(kept.end(), {Check::dissipated, Check::energy});
  // Position corrections change the forces of springs and dampers within the step.
  if (options_.corrects_positions)
    kept.erase(std::remove_if(kept.begin(), kept.end(),
                              [](Check check) { return check == Check::balance || check == Check::energy; }),
               kept.end());
  return kept;
}

template class MoreauJean<InstantiatedEngine>;

}  // namespace halfdof
