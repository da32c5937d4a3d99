// SPDX-License-Identifier: LGPL-2.1-or-later
#include "simulate.h"

#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/plots/progress.h>

#include "case_argument.h"
#include "case_keys.h"
#include "case_methods.h"
#include "case_model.h"
#include "case_plot.h"
#include "case_run.h"
#include "case_verification.h"
#include "checks.h"
#include "exit_code.h"
#include "interrupt.h"
#include "memory_simulation.h"
#include "out_of_memory.h"
#include "refined_run.h"
#include "sweep.h"
#include "verbs.h"
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace halfdof::cli {

using namespace internal;

namespace {

struct SimulateOptions {
  CaseArgument of_case;
  std::vector<std::string> sweeps;
  bool explains = false, resumes = false;
  std::string verifies;  ///< "laws", "step", or empty
  double tolerance = 1e-8, step_tolerance = 0.02;
};

/// Exception by which an observer ends a run.
struct Interrupted {};

/// One run of a case, from its start or from a checkpoint.
class Simulation {
 public:
  Simulation(const CaseFile& given, const SimulateOptions& options)
      : given_(given),
        files_(given_, options.resumes),
        inclusions_(read_inclusions(given, reduce_case(given))),
        outcome_(with_law_tolerance(given, outcome_of(given, inclusions_))),
        integrator_(make_integrator(given, inclusions_, outcome_)),
        row_times_(given) {
    print_model();
    for (const std::string& warning : integrator_.warnings)
      std::cerr << "halfdof: " << warning << '\n';
    state_ = files_.resumed() ? *files_.resumed() : start();
    files_.begin(inclusions_);
    if (options.verifies.empty()) return;
    verification_.emplace(*integrator_.method, (given_.settings.end - state_.time) / samples_of_run);
    if (options.verifies == "step")
      refined_.emplace(make_integrator(refined(given_), inclusions_, outcome_).method,
                       refinement_text(given_), state_);
  }

  ExitCode run() {
    const double end = given_.settings.end;
    const InterruptWatch watch;
    Progress progress("simulation", end - state_.time);
    const double begin = state_.time;
    const auto observe = [&](const NonsmoothObservation<Engine>& now) {
      files_.table()(now);
      if (verification_) (*verification_)(now);
      if (refined_) refined_->compare(now);
      progress.update(now.time() - begin);
      if (files_.is_checkpoint_due()) files_.write(now.state());
      if (watch.is_interrupted() && now.time() < end) throw Interrupted();
    };
    try {
      do
        integrator_.method->run(state_, row_times_.next(state_.time), observe);
      while (state_.time < end);
      progress.finish();
      files_.finish(state_.dissipated);
    } catch (const Interrupted&) {
      progress.leave();
      return files_.leave("interrupted", state_);
    } catch (const std::exception& error) {
      progress.leave();
      return files_.leave("stopped", state_, message_of(error));
    }
    if (const double held = integrator_.method->largest_residual(); held > 0)
      std::cerr << "halfdof: because of rounding of gaps and rates, the laws are satisfied only to " << held
                << " in some steps, instead of [integrator] law_tolerance " << outcome_.options.law_tolerance
                << ": the tolerance was raised to the larger value.\n";
    return agreed;
  }

  void plot() const {
    if (given_.output.has("plot")) plot_table(given_);
  }

  bool passes(const SimulateOptions& options) const {
    const auto begin = files_.resumed() ? std::optional<double>(files_.resumed()->time) : std::nullopt;
    const bool passes =
        passes_verification(given_, *verification_, *integrator_.method, begin,
                            {options.tolerance, options.step_tolerance, options.verifies == "step"});
    const bool is_repeated = !refined_ || refined_->agrees(std::cout, options.step_tolerance);
    return passes && is_repeated;
  }

 private:
  void print_model() const {
    inclusions_.reduced().print_summary(std::cout);
    print_warnings(std::cerr, inclusions_.reduced());
    std::cout << '\n' << outcome_ << '\n';
  }

  NonsmoothState start() const {
    const NonsmoothStart start = start_of(given_, inclusions_, outcome_);
    print(std::cout, start);
    return start;
  }

  CaseFile given_;
  CaseRun files_;  ///< refuses a run that cannot be resumed, before anything is computed
  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  CaseIntegrator integrator_;
  RowTimes row_times_;
  NonsmoothState state_;
  std::optional<Verification<Engine>> verification_;
  std::optional<RefinedRun> refined_;
};

ExitCode run_case(const CaseFile& given, const SimulateOptions& options) {
  check_outputs(files_read(given), files_written(given));
  const bool verifies = !options.verifies.empty();
  if (!given.settings.make)
    return simulate_with_memory(
        given, options.resumes,
        verifies ? std::optional(CaseVerification{options.tolerance, options.step_tolerance,
                                                  options.verifies == "step"})
                 : std::nullopt);
  Simulation simulation(given, options);
  if (simulation.run() != agreed) return falls_short;
  const bool passes = !verifies || simulation.passes(options);
  simulation.plot();
  return passes ? agreed : falls_short;
}

/// Runs the case once for each combination of the values of the sweeps; each run has its own output files.
ExitCode run_swept(const SimulateOptions& options) {
  const std::vector<Parameters> points = points_of(sweeps_of(options.of_case, options.sweeps));
  std::vector<CaseFile> cases;
  std::set<std::string> suffixes;
  for (const Parameters& point : points) {
    Parameters settings = options.of_case.changed();
    std::string suffix;
    for (const auto& [name, value] : point) {
      settings[name] = value;
      suffix += "-" + name + "=" + number_text(value);
    }
    if (!suffixes.insert(suffix).second)
      throw InvalidInput(
          "Two points of --sweep would write the same output files, because file names contain ten digits "
          "of each value: both points are named " +
          text_of(point) + ". Give values that differ within their first ten digits.");
    cases.push_back(read_case_file(options.of_case.file, settings, suffix));
    check_outputs(files_read(cases.back()), files_written(cases.back()));
  }
  ExitCode exit_code = agreed;
  for (std::size_t k = 0; k < points.size(); ++k) {
    std::cout << (k > 0 ? "\n" : "") << "At " << text_of(points[k]) << ":\n" << std::flush;
    if (run_case(cases[k], options) != agreed) exit_code = falls_short;
    if (was_interrupted()) break;
  }
  return exit_code;
}

ExitCode run(const SimulateOptions& options) {
  if (options.explains) {
    print_case_keys(std::cout);
    return agreed;
  }
  if (options.of_case.file.empty())
    throw InvalidInput(
        "simulate needs a case, a TOML file. `halfdof simulate --explain` lists its sections and keys.");
  if (!options.sweeps.empty()) return run_swept(options);
  return run_case(read_case_file(options.of_case.file, options.of_case.changed()), options);
}

}  // namespace

InclusionOutcome with_law_tolerance(const CaseFile& given, InclusionOutcome outcome) {
  outcome.options.law_tolerance = given.settings.law_tolerance.value_or(outcome.options.law_tolerance);
  if (outcome.options.law_tolerance < least_tolerance) {
    std::cerr << "halfdof: because of rounding, laws are satisfied only to about " << least_tolerance
              << ": law_tolerance is raised to this value.\n";
    outcome.options.law_tolerance = least_tolerance;
  }
  return outcome;
}

void add_simulate(CLI::App& program, int& exit_code) {
  CLI::App* const verb =
      program.add_subcommand("simulate", "Motion with friction and contact, as a case file describes it");
  const auto options = std::make_shared<SimulateOptions>();
  add_case(*verb, options->of_case, "what to simulate, a TOML file");
  add_sweep(*verb, options->sweeps);
  verb->add_flag("--explain", options->explains,
                 "print all keys of a case, with units, defaults and what is allowed");
  verb->add_flag("--resume", options->resumes, "continue a run that was interrupted");
  verb->add_flag(
          "--verify{laws}", options->verifies,
          "check each step against the assembled matrices and the laws, and whether it is short enough for "
          "the "
          "motion and for what depends on time; --verify=step (with the equals sign) also repeats the run "
          "with half the step and compares both")
      ->check(CLI::IsMember({"laws", "step"}));
  verb->add_option("--tolerance", options->tolerance,
                   "largest relative violation of the checks that the method keeps exactly")
      ->check(at_least_zero())
      ->capture_default_str();
  verb->add_option(
          "--step-tolerance", options->step_tolerance,
          "error of a time step, and with --verify=step difference of displacements, relative to the "
          "largest of the run, that still passes")
      ->check(at_least_zero())
      ->capture_default_str();
  verb->footer(
      "The table is written during the run, and a checkpoint in the same folder each minute ([output]\n"
      "checkpoint_interval) and on an interrupt (Ctrl-C, SIGTERM, a terminal that is closed) or a failure.\n"
      "--resume continues from the last one, with the same digits as without the interrupt. A third\n"
      "interrupt ends the program immediately.\n\n"
      "Example:\n"
      "  halfdof simulate CASE.toml --verify\n"
      "  halfdof simulate CASE.toml --sweep omega=1,2");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace halfdof::cli
