// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_inclusions.h"

#include <halfdof/base/text_table.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/integrators/run_checks.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::cli {

using namespace internal;

namespace {

/// Larger matrices are not printed.
constexpr Eigen::Index max_printed = 10;

const char* name_of(WellPosedness result) {
  switch (result) {
    case WellPosedness::unique:
      return "unique";
    case WellPosedness::existence:
      return "existence";
    case WellPosedness::open:
      break;
  }
  return "open";
}

Json json_of(const DirectionOutcome& direction) {
  Json acts_on = Json::array(), decided_by = Json::array(), reduced_laws = Json::array();
  for (const DoFKind kind : {DoFKind::inertial, DoFKind::viscous, DoFKind::algebraic, DoFKind::constrained})
    if (direction.acts_on[static_cast<std::size_t>(kind)]) acts_on.push_back(halfdof::name_of(kind));
  for (const DoFKind kind : direction.decided_by)
    decided_by.push_back(halfdof::name_of(kind));
  for (const ReducedLaw reduced_law : direction.reduced_laws)
    reduced_laws.push_back(halfdof::name_of(reduced_law));
  return {{"name", direction.name},
          {"law", direction.law},
          {"level", direction.level == LawLevel::rate ? "rate" : "gap"},
          {"acts_on", acts_on},
          {"decided_by", decided_by},
          {"reduced_laws", reduced_laws},
          {"W", direction.W}};
}

Json json_of(const InclusionOutcome& outcome) {
  Json directions = Json::array();
  for (const DirectionOutcome& direction : outcome.directions)
    directions.push_back(json_of(direction));
  return {{"directions", directions},
          {"W_I", rows_of(outcome.W.I)},
          {"W_C", rows_of(outcome.W.C)},
          {"W_K", rows_of(outcome.W.K)},
          {"n_play_states", outcome.n_play_states},
          {"notes", outcome.notes},
          {"solutions", name_of(outcome.statement.result)},
          {"theorem", outcome.statement.theorem},
          {"failing", outcome.statement.failing},
          {"statement", outcome.statement.text}};
}

TextTable table_of(const MultiVector& W, const std::vector<DirectionOutcome>& directions) {
  std::vector<TextColumn> heads = {""};
  for (const DirectionOutcome& direction : directions)
    heads.emplace_back(direction.name);
  TextTable table(heads);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    std::vector<TableCell> row = {directions[i].name};
    for (const double entry : W.row(static_cast<Eigen::Index>(i)))
      row.emplace_back(entry);
    table.add_row(row);
  }
  return table;
}

/// Prints those of the three Delassus matrices that are not zero.
void print_delassus(const InclusionOutcome& outcome) {
  const std::pair<const char*, const MultiVector*> matrices[] = {
      {"W_I [acceleration / force]", &outcome.W.I},
      {"W_C [rate / force]", &outcome.W.C},
      {"W_K [displacement / force]", &outcome.W.K}};
  for (const auto& [name, W] : matrices) {
    if (W->size() == 0 || W->isZero(0.)) continue;
    std::cout << "Delassus matrix " << name;
    if (W->rows() > max_printed) {
      std::cout << ": " << W->rows() << " x " << W->cols() << ", entries up to " << W->cwiseAbs().maxCoeff()
                << " (--json writes all).\n";
      continue;
    }
    std::cout << ":\n" << table_of(*W, outcome.directions);
  }
}

/// Prints the initial state of every inclusion, and returns it.
Json describe_start(const Inclusions<Engine>& inclusions, const NonsmoothStart& start) {
  const std::vector<ContactEvent> nothing;
  const NonsmoothObservation<Engine> now(inclusions, start, nothing);
  const std::vector<Vector> reactions = now.reactions();
  const std::vector<ContactState> contacts = now.contacts();
  TextTable table({"inclusion", "starts", "reaction"});
  Json json = Json::array();
  for (std::size_t i = 0; i < reactions.size(); ++i) {
    const std::string& name = inclusions.given()[i].name;
    for (Eigen::Index d = 0; d < reactions[i].size(); ++d)
      table.add_row({d == 0 ? name : "", d == 0 ? halfdof::name_of(contacts[i]) : "", reactions[i][d] + 0.});
    json.push_back(
        {{"name", name}, {"state", halfdof::name_of(contacts[i])}, {"reaction", list_of(reactions[i])}});
  }
  print(std::cout, start);
  std::cout << "At " << seconds(start.time) << ":\n" << table;
  return json;
}

}  // namespace

void describe_inclusions(const CaseModel& given, const ReducedSystem<Engine>& reduced, Json& json) {
  const Inclusions<Engine> inclusions = read_inclusions(given, reduced);
  const InclusionOutcome outcome = outcome_of(given, inclusions);
  std::cout << '\n' << outcome << '\n';
  print_delassus(outcome);
  json["n_states"] = outcome.n_states;
  json["inclusions"] = json_of(outcome);
  try {
    json["start"] = describe_start(inclusions, start_of(given, inclusions, outcome));
  } catch (const InvalidInput& reason) {
    std::cout << "A run cannot start from this initial state: " << reason.what() << '\n';
    json["start"] = nullptr;
    json["warnings"].push_back(reason.what());
  }
}

}  // namespace halfdof::cli
