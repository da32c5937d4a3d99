// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_table.h"

#include <halfdof/reduction/dense_form.h>

#include "case_model.h"
#include "case_plot.h"
#include "checks.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

std::string column(char quantity, const std::string& of) {
  return std::string(1, quantity) + "[" + of + "]";
}

std::vector<std::string> columns(const CaseFile& given, const Inclusions<Engine>& inclusions,
                                 const StepColumns& step_columns) {
  const CaseSection& output = given.output;
  const ModelDoFs dofs = dofs_of(inclusions.reduced().assembled());
  std::vector<std::string> names = {"t"};
  for (const GlobalIndex dof : output.dofs("displacement", dofs))
    names.push_back(column('q', std::to_string(dof)));
  for (const GlobalIndex dof : output.dofs("velocity", dofs)) {
    if (!inclusions.reduced().has_rate(static_cast<Index>(dof)))
      output.fail(
          "velocity",
          "names DoF " + std::to_string(dof) +
              ", which is algebraic: its rate is not a state, and may jump. Ask for its displacement.");
    names.push_back(column('v', std::to_string(dof)));
  }
  if (output.flag("reactions")) {
    for (const Inclusion& inclusion : inclusions.given())
      for (Index d = 0; d < inclusion.law->dimension(); ++d)
        names.push_back(column('r', direction_name(inclusion, d)));
    for (const Inclusion& inclusion : inclusions.given())
      names.push_back("state[" + inclusion.name + "]");
  }
  if (output.flag("dissipated")) names.push_back("dissipated");
  const std::vector<std::string> of_steps = step_columns.names();
  names.insert(names.end(), of_steps.begin(), of_steps.end());
  for (auto name = names.begin(); name != names.end(); ++name)
    if (std::find(names.begin(), name, *name) != name)
      output.fail("file", "would have two columns " + *name +
                              ": rename the inclusion whose name equals that of a direction of another one.");
  if (output.has("plot") && !is_picture(output.path("plot")))
    output.fail("plot", "does not end in .png or .svg, but pictures are PNG or SVG files.");
  if (output.has("plot") && names.size() == 1)
    output.fail("plot",
                "has nothing to show. Ask for displacements, velocities or reactions, or for no plot.");
  check_panels(given, names);
  return names;
}

/// Returns the columns of events, with as many directions as the largest inclusion has.
std::vector<std::string> event_columns(const Inclusions<Engine>& inclusions) {
  Index n = 1;
  for (const Inclusion& inclusion : inclusions.acting())
    n = std::max(n, inclusion.law->dimension());
  std::vector<std::string> names = {"begin", "end", "inclusion", "before", "after"};
  for (Index d = 0; d < n; ++d) {
    const std::string number = n == 1 ? "" : "[" + std::to_string(d) + "]";
    names.insert(names.end(), {"w_before" + number, "w_after" + number, "impulse" + number});
  }
  return names;
}

std::unique_ptr<CsvTable> begin(const std::filesystem::path& file, const std::vector<std::string>& columns,
                                const TablePrefix* prefix) {
  if (file.empty()) return nullptr;
  auto table = prefix ? std::make_unique<CsvTable>(file, columns.size(), *prefix)
                      : std::make_unique<CsvTable>(file, columns);
  table->gather_rows();
  return table;
}

/// Longest time for which rows wait, and the largest number of waiting bytes.
constexpr std::chrono::milliseconds longest_wait(100);
constexpr std::size_t most_waiting = std::size_t(1) << 16;

}  // namespace

std::vector<OutputFile> files_written(const CaseFile& given) {
  const CaseSection& output = given.output;
  return {{"[output] file", output.path("file")},
          {"the checkpoint of [output] file", checkpoint_of(output.path("file"))},
          {"[output] events", output.path("events")},
          {"[output] plot", output.path("plot")}};
}

RowTimes::RowTimes(const CaseFile& given) : begin_(given.begin), end_(given.settings.end) {
  if (!given.output.has("interval")) return;
  interval_ = given.output.number("interval");
  if (given.output.has("every"))
    given.output.fail("interval", "is given in addition to every. Give only one of the two.");
}

double RowTimes::next(double time) const {
  if (!interval_) return end_;
  double count = std::floor((time - begin_) / *interval_);
  while (at(count) <= time)
    ++count;
  return std::min(at(count), end_);
}

bool RowTimes::has(double time) const {
  return at(std::round((time - begin_) / *interval_)) == time;
}

CaseTable::CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions)
    : CaseTable(given, inclusions, nullptr) {}

CaseTable::CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions, const Checkpoint& from)
    : CaseTable(given, inclusions, &from) {}

CaseTable::CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions, const Checkpoint* from)
    : displacement_(given.output.dofs("displacement", dofs_of(inclusions.reduced().assembled()))),
      velocity_(given.output.dofs("velocity", dofs_of(inclusions.reduced().assembled()))),
      has_reactions_(given.output.flag("reactions")),
      has_dissipated_(given.output.flag("dissipated")),
      every_(given.output.whole_number("every")),
      row_times_(given),
      end_(given.settings.end),
      last_time_(from ? std::optional(from->state.time) : std::nullopt),
      n_points_(from ? from->n_points : 0),
      step_columns_(given.output, inclusions, from ? std::optional(from->totals) : std::nullopt),
      table_(begin(given.output.path("file"), columns(given, inclusions, step_columns_),
                   from ? &from->table : nullptr)),
      events_(begin(given.output.path("events"), event_columns(inclusions), from ? &from->events : nullptr)) {
}

bool CaseTable::is_due(double time) const {
  return time >= end_ || (row_times_.are_regular() ? row_times_.has(time) : n_points_ % every_ == 0);
}

void CaseTable::operator()(const NonsmoothObservation<Engine>& now) {
  const bool is_new = last_time_ != now.time();
  if (is_new) last_time_.reset();
  step_columns_.see(now);
  if (!is_new) return;
  const std::vector<TableCell> row = is_due(now.time()) ? row_of(now) : std::vector<TableCell>();
  impact_energy_.see(now);
  if (events_) add_events(now);
  if (!row.empty()) table_->add_row(row);
  ++n_points_;
  last_time_ = now.time();
  flush_if_due();
}

void CaseTable::pass(double time) {
  if (last_time_ == time) return;
  ++n_points_;
  last_time_ = time;
  flush_if_due();
}

// Flushes after the point was counted, so that has_seen() is right even if the disk is full.
void CaseTable::flush_if_due() {
  const auto now = std::chrono::steady_clock::now();
  const std::size_t n_waiting = table_->n_waiting() + (events_ ? events_->n_waiting() : 0);
  if (n_waiting == 0 || (n_waiting < most_waiting && now - last_flush_ < longest_wait)) return;
  last_flush_ = now;
  table_->flush();
  if (events_) events_->flush();
}

void CaseTable::sync() {
  table_->sync();
  if (events_) events_->sync();
}

void CaseTable::describe(Checkpoint& checkpoint) const {
  checkpoint.n_points = n_points_;
  checkpoint.table = table_->prefix();
  checkpoint.events = events_ ? events_->prefix() : TablePrefix();
  checkpoint.totals = step_columns_.totals();
}

std::vector<TableCell> CaseTable::row_of(const NonsmoothObservation<Engine>& now) const {
  std::vector<TableCell> row = {now.time()};
  for (const GlobalIndex dof : displacement_)
    row.emplace_back(now.lift().displacement[static_cast<Eigen::Index>(dof)]);
  for (const GlobalIndex dof : velocity_)
    row.emplace_back(now.lift().rate[static_cast<Eigen::Index>(dof)]);
  if (has_reactions_) {
    for (const Vector& r : now.reactions())
      for (const double entry : r)
        row.emplace_back(entry + 0.);  // adding zero removes the sign of -0
    for (const ContactState state : now.contacts())
      row.emplace_back(name_of(state));
  }
  if (has_dissipated_) row.emplace_back(now.dissipated());
  step_columns_.add_cells(now, row);
  return row;
}

void CaseTable::add_events(const NonsmoothObservation<Engine>& now) {
  const std::size_t n_columns = event_columns(now.inclusions()).size();
  for (const ContactEvent& event : now.events()) {
    std::vector<TableCell> row = {event.begin, event.end, now.inclusions().acting()[event.inclusion].name,
                                  name_of(event.before), name_of(event.after)};
    for (Eigen::Index d = 0; d < event.w_before.size(); ++d)
      row.insert(row.end(), {event.w_before[d], event.w_after[d], event.impulse[d]});
    row.resize(n_columns, "");
    events_->add_row(row);
  }
}

}  // namespace halfdof::cli
