#include <halfdof/base/errors.h>
#include <halfdof/integrators/stage_problem.h>

namespace halfdof {

namespace {

/// Where a half DoF takes part in a contact with mass, a law at the end of the step knows no restitution.
void require_whole_impacts(const InclusionOutcome& outcome, const std::vector<DirectionRule>& rules) {
  for (const Index j : outcome.directions_in(Cell::measure_inclusion)) {
    const auto at = static_cast<std::size_t>(j);
    if (rules[at].met == MetAt::impact) continue;
    throw NotAvailable(
        "The contact \"" + outcome.directions[at].name +
        "\" is decided in part by half degrees of freedom and in part by masses, as where several contacts "
        "meet at one massless node: schemes at velocity level cannot keep its impacts apart, and would lose "
        "its restitution. Take implicit Euler without restitution, or give the shared node mass.");
  }
}

}  // namespace

std::vector<DirectionRule> mean_rules(const InclusionOutcome& outcome) {
  std::vector<DirectionRule> rules;
  for (const DirectionOutcome& direction : outcome.directions)
    rules.push_back({direction.level == LawLevel::gap ? MetAt::end_gap : MetAt::mean_rate, false});
  return rules;
}

std::vector<DirectionRule> velocity_rules(const InclusionOutcome& outcome) {
  const bool sweeps = !outcome.directions_in(Cell::sweeping_process).empty();
  std::vector<DirectionRule> rules;
  for (const DirectionOutcome& direction : outcome.directions) {
    const bool on_rate = direction.level == LawLevel::rate;
    const bool has_rate = !direction.meets[static_cast<std::size_t>(DoFKind::algebraic)];
    switch (direction.cell()) {
      case Cell::filippov_inclusion:
        rules.push_back({has_rate ? MetAt::end_rate : MetAt::mean_rate, false});
        break;
      case Cell::measure_inclusion:
        rules.push_back({has_rate ? MetAt::impact : MetAt::end_gap, false});
        break;
      case Cell::lipschitz_friction:
        // Beside an impulse on viscous DoFs, the rates of both ends are no longer means of one stage.
        if (has_rate && !sweeps)
          rules.push_back({MetAt::end_rate, true});
        else
          rules.push_back({MetAt::mean_rate, false});
        break;
      case Cell::sweeping_process:
        rules.push_back({MetAt::end_gap, false});
        break;
      case Cell::play:
      case Cell::lipschitz_contact:
      case Cell::recovered_reaction:
      case Cell::prescribed_gap:
        rules.push_back({on_rate ? MetAt::mean_rate : MetAt::end_gap, true});
        break;
    }
  }
  require_whole_impacts(outcome, rules);
  return rules;
}

}  // namespace halfdof
