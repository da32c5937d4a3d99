#include <halfdof/base/errors.h>
#include <halfdof/integrators/verification.h>
#include <halfdof/output/progress.h>

#include "case_keys.h"
#include "case_methods.h"
#include "case_model.h"
#include "case_plot.h"
#include "case_table.h"
#include "checks.h"
#include "exit_code.h"
#include "interrupt.h"
#include "memory_simulation.h"
#include "verbs.h"
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

namespace halfdof::cli {

namespace {

struct SimulateOptions {
  std::filesystem::path file;
  bool explains = false, resumes = false, verifies = false;
  double tolerance = 1e-8;
};

constexpr double max_steps = 1e12;

/// Thrown by an observer to leave a run.
struct Interrupted {};

/// All but the case itself.
std::vector<std::filesystem::path> paths(const std::vector<InputFile>& files) {
  std::vector<std::filesystem::path> all;
  for (auto file = files.begin() + 1; file != files.end(); ++file)
    all.push_back(file->path);
  return all;
}

/// One run of a case, from its start or from a checkpoint.
class Simulation {
 public:
  Simulation(const CaseFile& given, const SimulateOptions& options)
      : given_(given),
        inclusions_(read_inclusions(given, reduce_case(given))),
        outcome_(outcome_of(given, inclusions_)),
        integrator_(make_integrator(given, inclusions_, outcome_)),
        row_times_(given),
        checkpoint_file_(checkpoint_of(given.output.path("file"))) {
    print_model();
    for (const std::string& warning : integrator_.warnings)
      std::cerr << "halfdof: " << warning << '\n';
    checkpoint_.inputs = fingerprint(given.other_text, paths(files_read(given)));
    checkpoint_.integrator = fingerprint(given.integrator_text);
    if (options.resumes)
      resume();
    else
      start();
    if (options.verifies) verification_.emplace(*integrator_.method);
  }

  ExitCode run() {
    const double end = given_.integrator.number("end");
    const InterruptWatch watch;
    Progress progress("simulation", end - state_.time);
    const double begin = state_.time;
    const auto observe = [&](const NonsmoothObservation<Engine>& now) {
      (*table_)(now);
      if (verification_) (*verification_)(now);
      progress.update(now.time() - begin);
      if (watch.is_interrupted() && now.time() < end) throw Interrupted();
    };
    try {
      do
        integrator_.method->run(state_, row_times_.next(state_.time), observe);
      while (state_.time < end);
    } catch (const Interrupted&) {
      progress.leave();
      leave("interrupted");
      return falls_short;
    } catch (const std::exception& error) {
      progress.leave();
      std::cout.flush();
      std::cerr << "halfdof: " << error.what() << '\n';
      leave("stopped");
      return falls_short;
    }
    progress.finish();
    std::filesystem::remove(checkpoint_file_);
    std::cout << "Reached " << seconds(end) << " in " << table_->n_points() - 1
              << " steps; the laws dissipated the energy " << state_.dissipated << ".\nWrote "
              << given_.output.path("file").string() << ".\n";
    return agreed;
  }

  void plot() const {
    if (given_.output.has("plot")) plot_table(given_.output.path("file"), given_.output.path("plot"));
  }

  bool passes_verification(double tolerance) const {
    const VerificationReport report = verification_->report();
    if (resumed_at_) std::cout << "Verified from " << seconds(*resumed_at_) << " on:\n";
    std::cout << report;
    std::string kept, failing;
    for (const Check check : integrator_.method->kept_exactly()) {
      kept += (kept.empty() ? "" : ", ") + std::string(name_of(check));
      if (!(report[check].value <= tolerance))
        failing += (failing.empty() ? "" : ", ") + std::string(name_of(check));
    }
    const bool is_all = integrator_.method->kept_exactly().size() == n_checks;
    std::cout << given_.integrator.text("method") << " keeps up to rounding: " << kept
              << (is_all ? ".\n" : "; the rest measures the error of its steps.\n");
    if (!failing.empty())
      std::cerr << "halfdof: the trajectory violates by more than --tolerance " << tolerance << ": "
                << failing << ".\n";
    return failing.empty();
  }

 private:
  void print_model() const {
    inclusions_.reduced().print_summary(std::cout);
    print_warnings(std::cerr, inclusions_.reduced());
    std::cout << '\n' << outcome_ << '\n';
  }

  void start() {
    if (std::filesystem::exists(checkpoint_file_))
      throw FileError(checkpoint_file_,
                      "an earlier run of this case was left there, and would be lost. Go on from it with "
                      "--resume, or remove the file to begin anew.");
    const NonsmoothStart start = start_of(given_, inclusions_, outcome_);
    print(std::cout, start);
    state_ = start;
    check_end(state_.time);
    table_.emplace(given_, inclusions_);
  }

  void resume() {
    Checkpoint from = read_checkpoint(checkpoint_file_);
    if (from.inputs != checkpoint_.inputs)
      throw FileError(
          checkpoint_file_,
          "the case, or a file that it reads, is another one than when the run was left. Put it back "
          "([integrator] alone may change), or remove this file to begin anew.");
    if (from.integrator != checkpoint_.integrator)
      std::cout << "[integrator] has changed: from here on the run is another one.\n";
    check_end(from.state.time);
    table_.emplace(given_, inclusions_, from);
    state_ = std::move(from.state);
    resumed_at_ = state_.time;
    std::cout << "Resumed at " << seconds(state_.time) << ".\n";
  }

  void check_end(double begin) const {
    const double length = given_.integrator.number("end") - begin;
    if (!(length >= 0))
      given_.integrator.fail("end", "lies before the start at " + seconds(begin) + ". Give a later one.");
    check_count(given_.integrator, "step", length);
    check_count(given_.output, "interval", length);
  }

  /// A time that divides the run must not do so without end.
  static void check_count(const CaseSection& section, const std::string& key, double length) {
    if (!section.has(key) || length / section.number(key) <= max_steps) return;
    std::ostringstream text;
    text << "is " << section.number(key) << ", of which the " << seconds(length) << " to the end hold "
         << length / section.number(key) << ", more than " << max_steps << ". Give a longer one.";
    section.fail(key, text.str());
  }

  /// Says what is left of a run that did not reach its end: of one without a step nothing to go on from.
  void leave(const std::string& what) {
    if (table_->n_points() <= 1) {
      std::cout.flush();
      std::cerr << "halfdof: " << what << " at " << seconds(state_.time)
                << ", before the first step was done: change the case and run it again.\n";
      return;
    }
    checkpoint_.state = state_;
    table_->describe(checkpoint_);
    write_checkpoint(checkpoint_file_, checkpoint_);
    std::cout.flush();
    std::cerr << "halfdof: " << what << " at " << seconds(state_.time) << "; "
              << given_.output.path("file").string() << " holds the rows so far, and `halfdof simulate "
              << given_.file.string() << " --resume` goes on from " << checkpoint_file_.string() << ".\n";
  }

  CaseFile given_;
  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  CaseIntegrator integrator_;
  RowTimes row_times_;
  std::filesystem::path checkpoint_file_;
  Checkpoint checkpoint_;
  NonsmoothState state_;
  std::optional<double> resumed_at_;  ///< [s]
  std::optional<CaseTable> table_;
  std::optional<Verification<Engine>> verification_;
};

ExitCode run(const SimulateOptions& options) {
  if (options.explains) {
    print_case_keys(std::cout);
    return agreed;
  }
  if (options.file.empty())
    throw InvalidInput(
        "simulate needs a case, a TOML file. `halfdof simulate --explain` tells what stands in it.");
  const CaseFile given = read_case_file(options.file);
  check_outputs(files_read(given), files_written(given));
  if (given.integrator.text("method") == "memory") {
    if (options.resumes || options.verifies)
      given.integrator.fail(
          "method", std::string("is memory, whose runs know no ") +
                        (options.resumes ? "checkpoints for --resume" : "assembled matrices for --verify") +
                        ". Leave the option out, or take another method.");
    return simulate_with_memory(given);
  }
  Simulation simulation(given, options);
  if (simulation.run() != agreed) return falls_short;
  const bool passes = !options.verifies || simulation.passes_verification(options.tolerance);
  simulation.plot();
  return passes ? agreed : falls_short;
}

}  // namespace

void add_simulate(CLI::App& program, int& exit_code) {
  CLI::App* const verb =
      program.add_subcommand("simulate", "Motion with friction and contact, as a case file describes it");
  const auto options = std::make_shared<SimulateOptions>();
  verb->add_option("case", options->file, "what to simulate, a TOML file")
      ->type_name("CASE.toml")
      ->check(file_name());
  verb->add_flag("--explain", options->explains,
                 "print all keys of a case, with units, defaults and what is allowed");
  verb->add_flag("--resume", options->resumes, "go on with a run that was interrupted");
  verb->add_flag("--verify", options->verifies,
                 "check every step by the assembled matrices and the laws alone");
  verb->add_option("--tolerance", options->tolerance,
                   "relative violation of what the method keeps exactly that still passes --verify")
      ->check(at_least_zero())
      ->capture_default_str();
  verb->footer(
      "The table is written as the run goes. An interrupt (Ctrl-C) or a failure leaves it whole, once a step "
      "is\n"
      "done beside a checkpoint; --resume goes on from there, to the same digits as without the "
      "interrupt.\n\n"
      "Example:\n"
      "  halfdof simulate CASE.toml --verify");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace halfdof::cli
