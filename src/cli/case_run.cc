// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_run.h"

#include <halfdof/base/printable.h>
#include <halfdof/integrators/run_checks.h>

#include "case_model.h"
#include <cmath>
#include <iostream>
#include <sstream>
#include <vector>

namespace halfdof::cli {

using namespace internal;

namespace {

constexpr double max_steps = 1e12;

/// Returns the paths of all files except the case file, which is the first one.
std::vector<std::filesystem::path> paths(const std::vector<InputFile>& files) {
  std::vector<std::filesystem::path> all;
  for (auto file = files.begin() + 1; file != files.end(); ++file)
    all.push_back(file->path);
  return all;
}

/// Refuses a step or interval that would divide the run into too many parts.
void check_count(const CaseSection& section, const std::string& key, double length) {
  if (!section.has(key) || length / section.number(key) <= max_steps) return;
  std::ostringstream text;
  text << "is " << seconds(section.number(key)) << ": the run of " << seconds(length)
       << " would be divided into " << length / section.number(key) << " parts, more than the limit of "
       << max_steps << ". Give a larger value.";
  section.fail(key, text.str());
}

void check_end(const CaseFile& given, double begin) {
  const double length = given.settings.end - begin;
  if (!(length >= 0))
    given.integrator.fail("end", "lies before the start at " + seconds(begin) + ". Give a later one.");
  check_count(given.integrator, "step", length);
  check_count(given.output, "interval", length);
}

/// Removes temporary files of AtomicFile, which remain if the program or the machine was stopped while it
/// wrote.
void remove_parts(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  const std::string begin = file.filename().string() + ".part-";
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? std::filesystem::path(".") : folder, ignored))
    if (entry.path().filename().string().compare(0, begin.size(), begin) == 0)
      std::filesystem::remove(entry.path(), ignored);
}

bool has_entries(const Vector& vector, GlobalIndex n) {
  return vector.size() == n && vector.allFinite();
}

/// Returns whether the state has the sizes of the model, and only finite numbers.
bool fits(const NonsmoothState& state, const Inclusions<Engine>& inclusions) {
  const Index n = inclusions.n_directions();
  const auto n_acting = static_cast<GlobalIndex>(inclusions.acting().size());
  return std::isfinite(state.time) && std::isfinite(state.dissipated) && std::isfinite(state.grid.origin) &&
         state.grid.n_steps >= 0 && has_entries(state.y, inclusions.reduced().n_states()) &&
         has_entries(state.r, n) && has_entries(state.w, n) && has_entries(state.g, n) &&
         has_entries(state.impulse, n) && static_cast<GlobalIndex>(state.contacts.size()) == n_acting &&
         state.carried.allFinite() &&
         (state.dissipated_by.size() == 0 || has_entries(state.dissipated_by, n_acting));
}

}  // namespace

CaseRun::CaseRun(const CaseFile& given, bool resumes)
    : given_(given),
      checkpoint_file_(checkpoint_of(given.output.path("file"))),
      table_lock_(given.output.path("file")),
      interval_(given.output.number("checkpoint_interval")),
      n_steps_(given.output.whole_number("checkpoint_every")) {
  if (const auto events = given.output.path("events"); !events.empty()) events_lock_.emplace(events);
  const std::string inputs = fingerprint(given.other_text, paths(files_read(given))),
                    integrator = fingerprint(given.integrator_text);
  if (resumes)
    read(inputs, integrator);
  else if (std::filesystem::exists(checkpoint_file_))
    throw FileError(checkpoint_file_,
                    "this checkpoint of an earlier run with the same table would be lost. Continue that run "
                    "with --resume if its case is unchanged, or remove the file to begin anew.");
  check_end(given, resumed_ ? resumed_->time : given.begin);
  for (const OutputFile& file : files_written(given))
    if (!file.path.empty()) remove_parts(file.path);
  checkpoint_.inputs = inputs;
  checkpoint_.integrator = integrator;
}

void CaseRun::read(const std::string& inputs, const std::string& integrator) {
  checkpoint_ = read_checkpoint(checkpoint_file_);
  if (checkpoint_.inputs != inputs)
    throw FileError(checkpoint_file_,
                    "the case, or a file that it reads, has changed since the run was interrupted. Restore "
                    "it ([integrator], [[plot]], and checkpoint_interval and checkpoint_every of [output] "
                    "may change), or remove this file to begin anew.");
  has_same_integrator_ = checkpoint_.integrator == integrator;
  resumed_ = checkpoint_.state;
  last_written_ = resumed_->time;
  last_points_ = checkpoint_.n_points;
  CsvTable::check_can_go_on(given_.output.path("file"), checkpoint_.table);
  if (const auto events = given_.output.path("events"); !events.empty())
    CsvTable::check_can_go_on(events, checkpoint_.events);
}

void CaseRun::begin(const Inclusions<Engine>& inclusions) {
  if (!resumed_) {
    table_.emplace(given_, inclusions);
    return;
  }
  if (!fits(*resumed_, inclusions))
    throw FileError(checkpoint_file_,
                    "this checkpoint is damaged: its state does not have the size of the model, or has "
                    "entries that are not finite. Restore the file, or remove it to begin anew.");
  table_.emplace(given_, inclusions, checkpoint_);
  if (!has_same_integrator_)
    std::cout
        << "[integrator] has changed: from here on the results differ from those of the interrupted run.\n";
  std::cout << "Resumed at " << seconds(resumed_->time) << ".\n";
}

bool CaseRun::is_checkpoint_due() const {
  const std::int64_t n_since = table_->n_points() - last_points_;
  if (table_->n_points() <= 1 || n_since == 0) return false;
  if (n_steps_ > 0 && n_since >= n_steps_) return true;
  return std::chrono::duration<double>(Clock::now() - last_clock_).count() >= interval_;
}

void CaseRun::write(const NonsmoothState& state) {
  table_->sync();
  checkpoint_.state = state;
  table_->describe(checkpoint_);
  write_checkpoint(checkpoint_file_, checkpoint_);
  last_written_ = state.time;
  last_points_ = table_->n_points();
  last_clock_ = Clock::now();
}

// Nothing is printed before the checkpoint is written, since the reader of standard output may be slow or
// missing.
ExitCode CaseRun::leave(const std::string& what, const NonsmoothState& state, const std::string& cause) {
  std::string failure;
  const bool has_steps = table_->n_points() > 1;
  bool is_written = false;
  if (has_steps && table_->has_seen(state.time)) {
    try {
      write(state);
      is_written = true;
    } catch (const FileError& error) {
      failure = error.what();
    }
  }
  std::cout.flush();
  for (const std::string& reason : {cause, failure})
    if (!reason.empty()) std::cerr << "halfdof: " << reason << '\n';
  std::cerr << "halfdof: " << what << " at " << seconds(state.time);
  const std::string file = printable(checkpoint_file_.string()),
                    command = "`halfdof simulate " + printable(given_.file.string()) + " --resume`";
  if (!has_steps)
    std::cerr << ", before the first step was done: change the case and run it again.\n";
  else if (is_written)
    std::cerr << "; " << printable(given_.output.path("file").string()) << " holds the rows so far, and "
              << command << " continues from " << file << "; remove that file to run a changed case.\n";
  else if (last_written_)
    std::cerr << ", where no checkpoint can be written; " << command << " continues from the last one, "
              << file << ", at " << seconds(*last_written_) << ".\n";
  else
    std::cerr << ", where no checkpoint can be written, nor was one before: run the case anew.\n";
  return falls_short;
}

void CaseRun::finish(double dissipated) {
  table_->sync();
  std::filesystem::remove(checkpoint_file_);
  std::cout << "Reached " << seconds(given_.settings.end) << " in " << table_->n_points() - 1
            << " steps; the laws dissipated the energy " << dissipated << ".\nWrote "
            << printable(given_.output.path("file").string()) << ".\n";
  if (const std::string added = table_->impact_energy().warning(); !added.empty()) {
    std::cout.flush();
    std::cerr << "halfdof: warning: " << added << '\n';
  }
}

}  // namespace halfdof::cli
