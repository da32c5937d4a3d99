// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/text_table.h>
#include <halfdof/inclusions/outcome.h>

#include <algorithm>
#include <ostream>

namespace halfdof {

namespace {

/// Returns the kinds of DoFs on which a direction acts, such as "algebraic + inertial".
std::string kinds_text(const DirectionOutcome& direction) {
  std::string text;
  for (const DoFKind kind : {DoFKind::inertial, DoFKind::viscous, DoFKind::algebraic, DoFKind::constrained})
    if (direction.acts_on[static_cast<std::size_t>(kind)])
      text += (text.empty() ? "" : " + ") + std::string(name_of(kind));
  return text;
}

/// Returns the forms of the law of a direction after the elimination, such as "rate-independent play; a part
/// of it: Filippov inclusion".
std::string forms_text(const DirectionOutcome& direction) {
  std::string text = name_of(direction.reduced_law());
  for (std::size_t k = 1; k < direction.reduced_laws.size(); ++k)
    text += std::string(k == 1 ? "; a part of it: " : ", ") + name_of(direction.reduced_laws[k]);
  return text;
}

/// Symbol and unit of the diagonal Delassus entry of the kind of DoFs that decides a direction.
struct ResponseUnit {
  const char *symbol, *unit;
};

ResponseUnit response_unit_of(const DirectionOutcome& direction) {
  static constexpr std::array<ResponseUnit, 3> of_kind = {
      {{"W_I", "acceleration / force"}, {"W_C", "rate / force"}, {"W_K", "displacement / force"}}};
  if (direction.decided_by.empty()) return {"", ""};
  return of_kind[static_cast<std::size_t>(direction.decided_by.front())];
}

TextTable table_of(const std::vector<DirectionOutcome>& directions) {
  TextTable table(
      {"inclusion", "law", "law on the", "acts on", "form after elimination", "entry of", "W", "unit"});
  for (const DirectionOutcome& direction : directions)
    table.add_row({direction.name, direction.law, direction.level == LawLevel::rate ? "rate" : "gap",
                   kinds_text(direction), forms_text(direction), response_unit_of(direction).symbol,
                   direction.decided_by.empty() ? TableCell("") : TableCell(direction.W),
                   response_unit_of(direction).unit});
  return table;
}

}  // namespace

const char* name_of(ReducedLaw reduced_law) {
  switch (reduced_law) {
    case ReducedLaw::filippov_inclusion:
      return "Filippov inclusion";
    case ReducedLaw::measure_inclusion:
      return "measure inclusion with impacts";
    case ReducedLaw::lipschitz_friction:
      return "Lipschitz function of the state";
    case ReducedLaw::sweeping_process:
      return "first-order sweeping process";
    case ReducedLaw::play:
      return "rate-independent play";
    case ReducedLaw::lipschitz_contact:
      return "Lipschitz function of the state, no impacts";
    case ReducedLaw::recovered_reaction:
      return "reaction recovered afterwards";
    case ReducedLaw::prescribed_gap:
      return "prescribed gap";
  }
  return "";
}

ReducedLaw reduced_law_of(DoFKind decided_by, LawLevel level) {
  const bool on_rate = level == LawLevel::rate;
  switch (decided_by) {
    case DoFKind::inertial:
      return on_rate ? ReducedLaw::filippov_inclusion : ReducedLaw::measure_inclusion;
    case DoFKind::viscous:
      return on_rate ? ReducedLaw::lipschitz_friction : ReducedLaw::sweeping_process;
    case DoFKind::algebraic:
      return on_rate ? ReducedLaw::play : ReducedLaw::lipschitz_contact;
    case DoFKind::constrained:
      break;
  }
  return on_rate ? ReducedLaw::recovered_reaction : ReducedLaw::prescribed_gap;
}

bool DirectionOutcome::has_form(ReducedLaw reduced_law) const {
  return std::find(reduced_laws.begin(), reduced_laws.end(), reduced_law) != reduced_laws.end();
}

std::vector<Index> InclusionOutcome::directions_in(ReducedLaw reduced_law) const {
  std::vector<Index> found;
  for (std::size_t j = 0; j < directions.size(); ++j)
    if (directions[j].has_form(reduced_law)) found.push_back(static_cast<Index>(j));
  return found;
}

std::ostream& operator<<(std::ostream& out, const InclusionOutcome& outcome) {
  out << table_of(outcome.directions);
  for (const std::string& note : outcome.notes)
    out << "Note: " << note << '\n';
  out << "States: " << outcome.n_states;
  if (outcome.n_play_states > 0) out << ", " << outcome.n_play_states << " of them reactions of plays";
  return out << ".\n" << outcome.statement.text << '\n';
}

}  // namespace halfdof
