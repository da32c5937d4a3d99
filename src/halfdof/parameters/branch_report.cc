// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/joined.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_table.h>
#include <halfdof/parameters/eigenvalue_branches.h>
#include <halfdof/parameters/kind_differences.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include <cmath>
#include <ostream>
#include <string>

namespace halfdof {

using namespace internal;

namespace {

std::string branches_text(const std::vector<Index>& numbers) {
  std::vector<std::string> texts;
  for (const Index number : numbers)
    texts.push_back(std::to_string(number));
  return (numbers.size() == 1 ? "branch " : "branches ") + joined(texts, ", ", " and ");
}

std::string between(double from, double to, const std::string& name) {
  return "between " + name + " = " + number_text(from) + " and " + number_text(to);
}

}  // namespace

void EigenvalueBranches::print(std::ostream& out, const std::string& name) const {
  // With structural damping, loss factors stand in place of damping ratios.
  const std::string damping = has_structural_damping ? "loss factor" : "damping ratio";
  const auto damping_of = [&](const BranchPoint& point) {
    return has_structural_damping ? loss_factor(point.eigenvalue) : mode_of(point.eigenvalue).damping_ratio;
  };
  const auto cell = [](double value) { return std::isnan(value) ? TableCell("-") : TableCell(value); };
  TextTable table({"branch", name + " from", "to", "frequency [Hz] from", "to", damping + " from", "to",
                   "least " + damping});
  for (const Branch& branch : branches) {
    const BranchPoint &first = branch.points.front(), &last = branch.points.back();
    double least = damping_of(first);
    for (const BranchPoint& point : branch.points)
      least = std::fmin(least, damping_of(point));
    table.add_row({branch.number, first.parameter, last.parameter, mode_of(first.eigenvalue).frequency,
                   mode_of(last.eigenvalue).frequency, cell(damping_of(first)), cell(damping_of(last)),
                   cell(least)});
  }
  out << table;
  if (!growing_at_first.empty())
    out << "At the first value, " << branches_text(growing_at_first)
        << (growing_at_first.size() == 1 ? " grows.\n" : " grow.\n");
  for (const StabilityChange& change : stability) {
    const Mode mode = mode_of(change.eigenvalue);
    out << "Branch " << change.branch
        << (change.begins_to_grow ? " begins to grow at " : " ceases to grow at ") << name << " = "
        << number_text(change.parameter) << " (+- " << number_text(change.uncertainty) << "), "
        << (mode.frequency > 0 ? "with " + number_text(mode.frequency) +
                                     " Hz, omega = " + number_text(change.eigenvalue.imag()) + " 1/s"
                               : std::string("without oscillation"))
        << ".\n";
  }
  for (const UndecidedStep& step : undecided)
    out << "Which of the eigenvalues continues which branch is not decided for "
        << branches_text(step.branches) << ' ' << between(step.from, step.to, name)
        << ": their modes become equal there, or change faster than the smallest step (assurance "
        << number_text(step.assurance) << "). They may be exchanged beyond.\n";
  const std::string begin = has_structural_damping ? "its imaginary part becomes positive"
                                                   : "a pair becomes real",
                    end_of = has_structural_damping ? "its imaginary part becomes negative"
                                                    : "two real ones become a pair";
  for (const BranchEnd& end : ends)
    out << "Branch " << end.branch << (end.begins ? " begins " : " ends ") << between(end.from, end.to, name)
        << (end.begins ? ": its eigenvalue comes into the set that is computed, or " + begin + ".\n"
                       : ": its eigenvalue leaves the set that is computed, or " + end_of + ".\n");
  for (const KindOfDoFChange& change : kinds)
    out << describe_kinds(change, name + " = " + number_text(change.from),
                          name + " = " + number_text(change.to));
  if (!reason_without_left.empty())
    out << "Left vectors are not known at some value, so that branches are followed by right vectors there: "
        << reason_without_left << '\n';
}

}  // namespace halfdof
