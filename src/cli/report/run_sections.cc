// SPDX-License-Identifier: LGPL-2.1-or-later
#include "run_sections.h"

#include <halfdof/base/joined.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/plots/progress.h>

#include "../case_methods.h"
#include "../case_model.h"
#include "../case_table.h"
#include "../case_verification.h"
#include "../interrupt.h"
#include "../out_of_memory.h"
#include "../simulate.h"
#include "run_record.h"
#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

constexpr double kept_tolerance = 1e-8, step_tolerance = 0.02;  ///< those of simulate --verify

constexpr std::size_t most_rows = 200;  ///< of a table

/// Exception by which the observer ends the run.
struct Ended {
  std::string reason;
};

std::string list_or_none(const Json& texts) {
  return texts.empty() ? "none" : joined(texts.get<std::vector<std::string>>());
}

/// Returns the DoFs of [output] displacement or, without any, those on which inclusions act.
std::vector<GlobalIndex> shown_dofs(const CaseFile& given, const Inclusions<Engine>& inclusions) {
  std::vector<GlobalIndex> dofs =
      given.output.dofs("displacement", dofs_of(inclusions.reduced().assembled()));
  if (!dofs.empty()) return dofs;
  for (const Inclusion& inclusion : inclusions.acting())
    for (const Direction& direction : inclusion.directions)
      for (const WeightedDoF& entry : direction.entries())
        if (std::find(dofs.begin(), dofs.end(), entry.dof) == dofs.end()) dofs.push_back(entry.dof);
  return dofs;
}

/// A run of a case for a report.
class ReportedRun {
 public:
  ReportedRun(const CaseFile& given, const ReducedSystem<Engine>& reduced, std::int64_t most_steps)
      : given_(given),
        most_steps_(most_steps),
        inclusions_(read_inclusions(given, reduced)),
        outcome_(with_law_tolerance(given, outcome_of(given, inclusions_))),
        integrator_(make_integrator(given, inclusions_, outcome_)),
        state_(start_of(given, inclusions_, outcome_)),
        record_(inclusions_, shown_dofs(given, inclusions_)),
        verification_(*integrator_.method, (given.settings.end - given.begin) / samples_of_run) {}

  /// Runs the case to its end, or until it is stopped.
  void run() {
    RowTimes row_times(given_);
    const InterruptWatch watch;
    Progress progress("simulation", given_.settings.end - given_.begin);
    const auto observe = [&](const NonsmoothObservation<Engine>& now) {
      record_(now);
      verification_(now);
      progress.update(now.time() - given_.begin);
      if (now.time() >= given_.settings.end) return;
      if (watch.is_interrupted()) throw Ended{"It was interrupted"};
      if (record_.n_points() > most_steps_)
        throw Ended{"The limit of --steps " + std::to_string(most_steps_) + " ended it"};
    };
    try {
      do
        integrator_.method->run(state_, row_times.next(state_.time), observe);
      while (state_.time < given_.settings.end);
      progress.finish();
    } catch (const Ended& ended) {
      progress.leave();
      ended_ = ended.reason;
    } catch (const std::exception& error) {
      progress.leave();
      failure_ = message_of(error);
    }
  }

  void write(Findings& report) const {
    HtmlPage& page = report.page;
    const std::string method = name_of(*given_.settings.method);
    page.paragraph("The case was run as `halfdof simulate` runs it, by the method " + method +
                   ", but no table was written. " + extent());
    report.warnings.insert(report.warnings.end(), integrator_.warnings.begin(), integrator_.warnings.end());
    if (!failure_.empty()) {
      report.warnings.push_back("The run failed: " + failure_);
      report.agrees = false;
    }
    std::vector<Plot> plots;
    std::string shown;
    for (const CurvePanel& panel : record_.panels()) {
      plots.push_back({"", {panel}, 1, picture_width});
      shown += (shown.empty() ? "" : ", ") + panel.y.label;
    }
    if (!plots.empty()) report.draw(plots, "Over time: " + shown + drawn_points());
    if (record_.is_selection())
      page.paragraph(
          "There are more inclusions than the pictures show: only the first directions are drawn.");
    write_totals(page);
    write_verification(report);
  }

 private:
  std::string extent() const {
    std::string text = "It covers " + std::to_string(std::max<std::int64_t>(0, record_.n_points() - 1)) +
                       " steps from " + seconds(given_.begin) + " to " + seconds(state_.time);
    if (state_.time < given_.settings.end)
      text += " of the " + seconds(given_.settings.end) + " that the case asks for";
    text += ", with " + std::to_string(record_.n_events()) + " impacts and changes of state.";
    if (!ended_.empty()) text += " " + ended_ + ": the rest of the motion is not shown.";
    if (!failure_.empty()) text += " It then failed: " + failure_;
    return text;
  }

  std::string drawn_points() const {
    return record_.stride() == 1 ? "."
                                 : "; every " + std::to_string(record_.stride()) +
                                       "th step is drawn, so that short peaks may be missing.";
  }

  void write_totals(HtmlPage& page) const {
    std::vector<HtmlPage::Row> rows = {{"dissipated by the laws", record_.dissipated()}};
    if (const std::optional<Energies> energies = record_.energies())
      rows.insert(rows.end(), {{"kinetic", energies->kinetic},
                               {"potential", energies->potential},
                               {"lost to damping", energies->dissipated},
                               {"work of loads", energies->work},
                               {"work of reactions", energies->reactions}});
    page.table("Energies at the end of the run [force length]", {"energy", "value"}, rows);
  }

  void write_verification(Findings& report) const {
    const VerificationReport found = verification_.report();
    const std::vector<Check> kept = integrator_.method->kept_exactly();
    std::vector<HtmlPage::Row> rows;
    for (std::size_t c = 0; c < n_checks; ++c) {
      const auto check = static_cast<Check>(c);
      if (check == Check::energy && !found.has_energy) continue;
      const Violation& violation = found[check];
      const bool is_kept = std::find(kept.begin(), kept.end(), check) != kept.end();
      rows.push_back({halfdof::name_of(check), violation.value, violation.time, violation.where,
                      is_kept ? "kept up to rounding" : "shows the error of the steps"});
      if (is_kept)
        report.verify(std::string("run: ") + halfdof::name_of(check), violation.value, kept_tolerance,
                      violation.value <= kept_tolerance);
    }
    report.verify("run: error of the worst time step", found.step_error.value, step_tolerance,
                  found.step_error.value <= step_tolerance);
    rows.push_back({"error of a time step", found.step_error.value, found.step_error.time,
                    found.step_error.where, "largest of one step; errors of steps add up"});
    report.page.table("Largest relative violations at " + std::to_string(found.n_points) + " points",
                      {"checked", "largest violation", "at [s]", "where", "by this method"}, rows);
  }

  const CaseFile& given_;
  std::int64_t most_steps_;
  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  CaseIntegrator integrator_;
  NonsmoothState state_;
  RunRecord record_;
  Verification<Engine> verification_;
  std::string ended_, failure_;
};

}  // namespace

void add_inclusions(Findings& report, const Json& inspected) {
  HtmlPage& page = report.page;
  const Json& inclusions = inspected["inclusions"];
  std::vector<HtmlPage::Row> rows;
  for (const Json& direction : inclusions["directions"]) {
    if (rows.size() == most_rows) break;
    rows.push_back({direction["name"].get<std::string>(), direction["law"].get<std::string>(),
                    direction["level"].get<std::string>(), list_or_none(direction["acts_on"]),
                    list_or_none(direction["decided_by"]), list_or_none(direction["reduced_laws"]),
                    direction["W"].get<double>()});
  }
  page.table(
      "What becomes of each law. The Delassus entry is that of the kind that decides: acceleration, rate or "
      "displacement per force for inertial, viscous and algebraic DoFs",
      {"inclusion", "law", "on the", "acts on", "decided by", "after the elimination", "Delassus entry"},
      rows);
  if (const std::size_t n = inclusions["directions"].size(); n > most_rows)
    page.paragraph("These are the first " + std::to_string(most_rows) + " of " + std::to_string(n) +
                   " directions; `halfdof inspect --json` writes all.");
  if (!inclusions["notes"].empty()) page.list(inclusions["notes"].get<std::vector<std::string>>());
  page.paragraph(inclusions["statement"].get<std::string>());
  if (!inspected.contains("start") || inspected["start"].is_null()) return;
  std::vector<HtmlPage::Row> starts;
  for (const Json& start : inspected["start"])
    for (std::size_t d = 0; d < start["reaction"].size(); ++d)
      if (starts.size() < most_rows)
        starts.push_back({d == 0 ? start["name"].get<std::string>() : "",
                          d == 0 ? start["state"].get<std::string>() : "",
                          start["reaction"][d].get<double>()});
  page.table("State of each inclusion at the start", {"inclusion", "state", "reaction [force]"}, starts);
}

void add_run(Findings& report, const CaseFile& given, const ReducedSystem<Engine>& reduced,
             std::int64_t most_steps) {
  if (!given.settings.make) {
    report.page.paragraph(
        "The case was not run, because the method \"memory\" integrates its contacts only. "
        "`halfdof simulate` runs it.");
    return;
  }
  ReportedRun run(given, reduced, most_steps);
  run.run();
  run.write(report);
}

}  // namespace halfdof::cli
