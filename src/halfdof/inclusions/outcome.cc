#include <halfdof/base/text_table.h>
#include <halfdof/inclusions/outcome.h>

#include <algorithm>
#include <ostream>

namespace halfdof {

namespace {

/// "algebraic + inertial"
std::string kinds_text(const DirectionOutcome& direction) {
  std::string text;
  for (const DoFKind kind : {DoFKind::inertial, DoFKind::viscous, DoFKind::algebraic, DoFKind::constrained})
    if (direction.meets[static_cast<std::size_t>(kind)])
      text += (text.empty() ? "" : " + ") + std::string(name_of(kind));
  return text;
}

/// "play; a part of it: Filippov inclusion"
std::string cells_text(const DirectionOutcome& direction) {
  std::string text = name_of(direction.cell());
  for (std::size_t k = 1; k < direction.cells.size(); ++k)
    text += std::string(k == 1 ? "; a part of it: " : ", ") + name_of(direction.cells[k]);
  return text;
}

/// What a unit reaction moves, by the kind that decides: symbol and unit.
struct Response {
  const char *symbol, *unit;
};

Response response_of(const DirectionOutcome& direction) {
  static constexpr std::array<Response, 3> of_kind = {
      {{"W_I", "acceleration / force"}, {"W_C", "rate / force"}, {"W_K", "displacement / force"}}};
  if (direction.decided_by.empty()) return {"", ""};
  return of_kind[static_cast<std::size_t>(direction.decided_by.front())];
}

TextTable table_of(const std::vector<DirectionOutcome>& directions) {
  TextTable table({"inclusion", "law", "on the", "meets", "becomes", "entry of", "W", "unit"});
  for (const DirectionOutcome& direction : directions)
    table.add_row({direction.name, direction.law, direction.level == LawLevel::rate ? "rate" : "gap",
                   kinds_text(direction), cells_text(direction), response_of(direction).symbol,
                   direction.decided_by.empty() ? TableCell("") : TableCell(direction.W),
                   response_of(direction).unit});
  return table;
}

}  // namespace

const char* name_of(Cell cell) {
  switch (cell) {
    case Cell::filippov_inclusion:
      return "Filippov inclusion";
    case Cell::measure_inclusion:
      return "measure inclusion with impacts";
    case Cell::lipschitz_friction:
      return "Lipschitz function of the state";
    case Cell::sweeping_process:
      return "first-order sweeping process";
    case Cell::play:
      return "rate-independent play";
    case Cell::lipschitz_contact:
      return "Lipschitz function of the state, no impacts";
    case Cell::recovered_reaction:
      return "reaction recovered afterwards";
    case Cell::prescribed_gap:
      return "prescribed gap";
  }
  return "";
}

Cell cell_of(DoFKind decided_by, LawLevel level) {
  const bool on_rate = level == LawLevel::rate;
  switch (decided_by) {
    case DoFKind::inertial:
      return on_rate ? Cell::filippov_inclusion : Cell::measure_inclusion;
    case DoFKind::viscous:
      return on_rate ? Cell::lipschitz_friction : Cell::sweeping_process;
    case DoFKind::algebraic:
      return on_rate ? Cell::play : Cell::lipschitz_contact;
    case DoFKind::constrained:
      break;
  }
  return on_rate ? Cell::recovered_reaction : Cell::prescribed_gap;
}

bool DirectionOutcome::has_become(Cell cell) const {
  return std::find(cells.begin(), cells.end(), cell) != cells.end();
}

std::vector<Index> InclusionOutcome::directions_in(Cell cell) const {
  std::vector<Index> found;
  for (std::size_t j = 0; j < directions.size(); ++j)
    if (directions[j].has_become(cell)) found.push_back(static_cast<Index>(j));
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
