// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/stage_rules.h>

namespace halfdof::internal {

namespace {

/// Refuses contacts whose reactions move half DoFs in some combinations and only masses in others. The laws
/// of such contacts are enforced on gaps at the end of the step and not as impacts (EnforcedOn::impact), so
/// that their restitution would be lost. @throws NotAvailable
void require_separable_impacts(const InclusionOutcome& outcome, const std::vector<DirectionRule>& rules) {
  for (const Index j : outcome.directions_in(ReducedLaw::measure_inclusion)) {
    const auto at = static_cast<std::size_t>(j);
    if (rules[at].enforced_on == EnforcedOn::impact) continue;
    throw NotAvailable(
        "The reactions of the contact \"" + outcome.directions[at].name +
        "\" and of contacts that are coupled with this contact move half degrees of freedom in some "
        "combinations and only masses in others, for instance because several contacts act on one massless "
        "node. Velocity-level schemes cannot compute the impacts of this contact, and its restitution would "
        "be lost. Use implicit Euler without restitution, or give the shared node mass.");
  }
}

}  // namespace

std::vector<DirectionRule> mean_rules(const InclusionOutcome& outcome) {
  std::vector<DirectionRule> rules;
  for (const DirectionOutcome& direction : outcome.directions)
    rules.push_back({direction.level == LawLevel::gap ? EnforcedOn::end_gap : EnforcedOn::mean_rate, false});
  return rules;
}

std::vector<DirectionRule> velocity_rules(const InclusionOutcome& outcome) {
  const bool sweeps = !outcome.directions_in(ReducedLaw::sweeping_process).empty();
  std::vector<DirectionRule> rules;
  for (const DirectionOutcome& direction : outcome.directions) {
    const bool on_rate = direction.level == LawLevel::rate;
    const bool has_rate = !direction.acts_on[static_cast<std::size_t>(DoFKind::algebraic)];
    switch (direction.reduced_law()) {
      case ReducedLaw::filippov_inclusion:
        rules.push_back({has_rate ? EnforcedOn::end_rate : EnforcedOn::mean_rate, false});
        break;
      case ReducedLaw::measure_inclusion:
        rules.push_back({has_rate ? EnforcedOn::impact : EnforcedOn::end_gap, false});
        break;
      case ReducedLaw::lipschitz_friction:
        // If impulses act on viscous DoFs, the rates at the stage are not the means of the rates at both
        // ends.
        if (has_rate && !sweeps)
          rules.push_back({EnforcedOn::end_rate, true});
        else
          rules.push_back({EnforcedOn::mean_rate, false});
        break;
      case ReducedLaw::sweeping_process:
        rules.push_back({EnforcedOn::end_gap, false});
        break;
      case ReducedLaw::play:
      case ReducedLaw::lipschitz_contact:
      case ReducedLaw::recovered_reaction:
      case ReducedLaw::prescribed_gap:
        rules.push_back({on_rate ? EnforcedOn::mean_rate : EnforcedOn::end_gap, true});
        break;
    }
  }
  require_separable_impacts(outcome, rules);
  return rules;
}

}  // namespace halfdof::internal
