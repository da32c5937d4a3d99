// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/text_table.h>
#include <halfdof/integrators/verification/verification.h>

#include <algorithm>
#include <ostream>
#include <vector>

namespace halfdof {

const char* name_of(Check check) {
  switch (check) {
    case Check::balance:
      return "balance of momentum";
    case Check::gap:
      return "gap";
    case Check::penetration:
      return "penetration";
    case Check::reaction:
      return "reaction in its set";
    case Check::impulse:
      return "impulse of the reaction";
    case Check::kinematics:
      return "rates";
    case Check::law:
      return "law";
    case Check::complementarity:
      return "complementarity";
    case Check::variational:
      return "variational inequality";
    case Check::impact:
      return "impact law";
    case Check::dissipated:
      return "dissipated by the laws";
    case Check::energy:
      return "energy";
  }
  return "";
}

std::ostream& operator<<(std::ostream& out, const VerificationReport& report) {
  std::vector<TextColumn> columns = {"checked", "largest violation", "at [s]", "where"};
  const bool has_marks = !report.judged.empty();
  if (has_marks) columns.emplace_back("row is");
  TextTable table(columns);
  const auto add_row = [&](std::vector<TableCell> row, const char* mark) {
    if (has_marks) row.emplace_back(mark);
    table.add_row(row);
  };
  for (std::size_t c = 0; c < n_checks; ++c) {
    const Violation& violation = report.violations[c];
    const auto check = static_cast<Check>(c);
    const bool is_judged =
        std::find(report.judged.begin(), report.judged.end(), check) != report.judged.end();
    if (check == Check::energy && !report.has_energy)
      add_row({name_of(check), "not checked", "", "M, C or K is not symmetric"}, "");
    else
      add_row({name_of(check), violation.value, violation.time, violation.where},
              is_judged ? "judged" : "shown");
  }
  add_row({"error of a time step", report.step_error.value, report.step_error.time, report.step_error.where},
          "judged");
  return out << table;
}

}  // namespace halfdof
