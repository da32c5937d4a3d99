#include "case_run.h"

#include <halfdof/integrators/run_times.h>

#include "case_model.h"
#include <iostream>
#include <sstream>
#include <vector>

namespace halfdof::cli {

namespace {

constexpr double max_steps = 1e12;

/// All but the case itself.
std::vector<std::filesystem::path> paths(const std::vector<InputFile>& files) {
  std::vector<std::filesystem::path> all;
  for (auto file = files.begin() + 1; file != files.end(); ++file)
    all.push_back(file->path);
  return all;
}

/// A time that divides the run must not do so without end.
void check_count(const CaseSection& section, const std::string& key, double length) {
  if (!section.has(key) || length / section.number(key) <= max_steps) return;
  std::ostringstream text;
  text << "is " << section.number(key) << ", of which the " << seconds(length) << " to the end hold "
       << length / section.number(key) << ", more than " << max_steps << ". Give a longer one.";
  section.fail(key, text.str());
}

void check_end(const CaseFile& given, double begin) {
  const double length = given.integrator.number("end") - begin;
  if (!(length >= 0))
    given.integrator.fail("end", "lies before the start at " + seconds(begin) + ". Give a later one.");
  check_count(given.integrator, "step", length);
  check_count(given.output, "interval", length);
}

}  // namespace

CaseRun::CaseRun(const CaseFile& given, bool resumes)
    : given_(given), checkpoint_file_(checkpoint_of(given.output.path("file"))) {
  const std::string inputs = fingerprint(given.other_text, paths(files_read(given))),
                    integrator = fingerprint(given.integrator_text);
  if (resumes) {
    checkpoint_ = read_checkpoint(checkpoint_file_);
    if (checkpoint_.inputs != inputs)
      throw FileError(
          checkpoint_file_,
          "the case, or a file that it reads, is another one than when the run was left. Put it back "
          "([integrator] alone may change), or remove this file to begin anew.");
    has_same_integrator_ = checkpoint_.integrator == integrator;
    resumed_ = checkpoint_.state;
    CsvTable::check_can_go_on(given.output.path("file"), checkpoint_.table_bytes);
    if (const auto events = given.output.path("events"); !events.empty())
      CsvTable::check_can_go_on(events, checkpoint_.event_bytes);
  } else if (std::filesystem::exists(checkpoint_file_)) {
    throw FileError(checkpoint_file_,
                    "an earlier run of this case was left there, and would be lost. Go on from it with "
                    "--resume, or remove the file to begin anew.");
  }
  check_end(given, resumed_ ? resumed_->time : given.initial.number("time"));
  checkpoint_.inputs = inputs;
  checkpoint_.integrator = integrator;
}

void CaseRun::begin(const Inclusions<Engine>& inclusions) {
  if (!resumed_) {
    table_.emplace(given_, inclusions);
    return;
  }
  if (!has_same_integrator_) std::cout << "[integrator] has changed: from here on the run is another one.\n";
  table_.emplace(given_, inclusions, checkpoint_);
  std::cout << "Resumed at " << seconds(resumed_->time) << ".\n";
}

ExitCode CaseRun::leave(const std::string& what, const NonsmoothState& state) {
  std::cout.flush();
  if (table_->n_points() <= 1) {
    std::cerr << "halfdof: " << what << " at " << seconds(state.time)
              << ", before the first step was done: change the case and run it again.\n";
    return falls_short;
  }
  checkpoint_.state = state;
  table_->describe(checkpoint_);
  write_checkpoint(checkpoint_file_, checkpoint_);
  std::cerr << "halfdof: " << what << " at " << seconds(state.time) << "; "
            << given_.output.path("file").string() << " holds the rows so far, and `halfdof simulate "
            << given_.file.string() << " --resume` goes on from " << checkpoint_file_.string() << ".\n";
  return falls_short;
}

void CaseRun::finish(double dissipated) const {
  std::filesystem::remove(checkpoint_file_);
  std::cout << "Reached " << seconds(given_.integrator.number("end")) << " in " << table_->n_points() - 1
            << " steps; the laws dissipated the energy " << dissipated << ".\nWrote "
            << given_.output.path("file").string() << ".\n";
}

}  // namespace halfdof::cli
