// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/output/result_files.h>

#include <CLI/CLI.hpp>

#include "limit_cases.h"
#include "pictures.h"
#include "reference.h"
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>

using namespace halfdof;

namespace {

/// Ends the example with an error if a condition is not met, because the example is also a test.
void require(bool is_met, const std::string& what) {
  if (!is_met) throw Error(what);
}

std::vector<ChainRun> run_all(Index n) {
  std::vector<ChainRun> runs;
  for (const ChainCase& chosen : seven_cases())
    runs.emplace_back(chosen, n);
  return runs;
}

/// Prints the number of states of Table 1 of the paper, and the number of states and the reduced laws that
/// the library finds.
void print_cases(const std::vector<ChainRun>& runs) {
  TextTable table(
      {"case", "equation", "p of Table 1", "n_states", "plays", "Filippov inclusions", "solution"});
  for (const ChainRun& run : runs) {
    const InclusionOutcome& outcome = run.model.outcome;
    const Index p = run.chosen.p(run.model.chain.n());
    const bool is_unique = outcome.statement.result == WellPosedness::unique;
    table.add_row({run.chosen.name, run.chosen.equation, p, outcome.n_states,
                   outcome.directions_in(ReducedLaw::play).size(),
                   outcome.directions_in(ReducedLaw::filippov_inclusion).size(),
                   is_unique ? "unique" : "open"});
    require(outcome.n_states == p, "The number of states differs from Table 1 of the paper.");
    require(is_unique, "The chain has a unique solution, but the library does not state uniqueness.");
  }
  std::cout << "What becomes of the St-Venant elements:\n" << table;
}

struct ReferenceErrors {
  double v = 0, friction = 0, energy = 0, event_times = 0;
};

ReferenceErrors errors_of(const ChainRun& run, const ChainReference& reference) {
  ReferenceErrors errors;
  const auto n_massless = (run.model.chain.masses().array() == 0).count();
  for (const ChainSample& sample : reference.samples) {
    const std::size_t at = run.at(sample.time);
    const RecoveredQuantities& found = run.found[at];
    const Eigen::Map<const Vector> v(sample.v.data(), 5), friction(sample.friction.data(), 5);
    errors.v = std::max(errors.v, (found.v - v).cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < n_massless; ++i)
      errors.friction = std::max(errors.friction, std::abs(found.g[i] - friction[i]));
    errors.energy = std::max(errors.energy, std::abs(run.dissipated[at] - sample.dissipated));
  }
  for (const double time : reference.first_events)
    errors.event_times = std::max(errors.event_times, run.distance_to_event(time));
  return errors;
}

/// Compares the runs of five nodes with an independent integration.
void compare_with_reference(const std::vector<ChainRun>& runs) {
  TextTable table({"case",
                   "changes of state",
                   {"error of v", NumberStyle::scientific, 1},
                   {"of g", NumberStyle::scientific, 1},
                   {"of the energy", NumberStyle::scientific, 1},
                   {"of the first 10 instants", NumberStyle::scientific, 1}});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ReferenceErrors errors = errors_of(runs[i], reference_of_five()[i]);
    table.add_row({runs[i].chosen.name, runs[i].event_times.size(), errors.v, errors.friction, errors.energy,
                   errors.event_times});
    require(std::max({errors.v, errors.friction, errors.energy, errors.event_times}) < 1e-8,
            "The event-driven run differs from the independent integration (" + runs[i].chosen.name + ").");
  }
  std::cout << "\nEvent-driven, against an independent integration at t = 1, 2, 3, 5 (allowed 1e-8):\n"
            << table;
}

void print_recovered(const std::vector<ChainRun>& runs) {
  const double time = 5;
  TextTable table({"case",
                   "v_n",
                   "x",
                   "F_0",
                   "F_{n+1}",
                   "g_1",
                   "g_n",
                   "f_n",
                   "u_n",
                   {"violation of (2.3)", NumberStyle::scientific, 1}});
  for (const ChainRun& run : runs) {
    const RecoveredQuantities& at = run.found[run.at(time)];
    const Index n = run.model.chain.n();
    const double violation =
        run.over_time([](const RecoveredQuantities& any) { return any.violation; }).maxCoeff();
    table.add_row({run.chosen.name, at.v[n - 1], at.x, at.F_0, at.F_end, at.g[0], at.g[n - 1], at.f[n],
                   at.u[n], violation});
    require(violation < 1e-10, "The recovered displacements and forces violate the equations of the chain.");
  }
  std::cout << "\nRecovered at t = " << time << "; largest violation of the paper's equations until t = 10:\n"
            << table;
}

void measure_orders(std::vector<ChainRun>& runs) {
  TextTable table({"case",
                   {"h = 0.017", NumberStyle::scientific, 1},
                   {"h = 0.0004", NumberStyle::scientific, 1},
                   {"order", NumberStyle::fixed, 2},
                   {"as printed: h = 0.0004", NumberStyle::scientific, 1},
                   {"its order", NumberStyle::fixed, 2},
                   {"smallest quotient", NumberStyle::fixed, 8},
                   {"verified to", NumberStyle::scientific, 0}});
  for (ChainRun& run : runs) {
    run.euler = convergence(run.model, run.motion());
    const Convergence& euler = run.euler;
    const auto last = euler.step.size() - 1;
    const double order = Convergence::order(euler.step, euler.error);
    const double printed_order = Convergence::order(euler.step, euler.printed_error);
    const double quotient = smallest_quotient(run.model), violation = largest_violation(run.model);
    table.add_row({run.chosen.name, euler.error[0], euler.error[last], order, euler.printed_error[last],
                   printed_order, quotient, violation});
    // The errors of plays arise at reversals of the load and depend on the position of a reversal in its
    // step.
    require(order > (run.chosen.inertia == Inertia::quasistatic ? 0.6 : 0.85),
            "Implicit Euler converges more slowly than with order one.");
    require(quotient > 1 - 1e-6, "A step of implicit Euler does not minimize (5.3c).");
    require(violation < 1e-10, "A step of implicit Euler violates the balance or a law.");
  }
  std::cout
      << "\nImplicit Euler, largest relative error of v until t = 10, beside the paper's scheme as printed;\n"
         "the quotient of (5.3c) that is at least 1 for its minimizer; violations found by verify():\n"
      << table;
}

std::vector<Loop> measure_loops() {
  TextTable table({"loop",
                   "states",
                   {"energy", NumberStyle::general, 12},
                   {"closed form", NumberStyle::general, 12},
                   {"relative error", NumberStyle::scientific, 1},
                   {"distance of the curves", NumberStyle::scientific, 1}});
  const std::vector<Loop> loops = hysteresis_loops();
  for (const Loop& loop : loops) {
    const double error = std::abs(loop.energy / loop.closed_form - 1);
    table.add_row({loop.name, loop.n_states, loop.energy, loop.closed_form, error, loop.distance()});
    require(error < 1e-12 && loop.distance() < 1e-12, "A hysteresis loop differs from its closed form.");
  }
  std::cout << "\nHysteresis loops, energy of a period:\n" << table;
  return loops;
}

void write_table(const std::vector<ChainRun>& runs, const std::filesystem::path& file) {
  CsvTable csv(file, {"case", "t", "v_n", "x", "F_0", "F_{n+1}", "g_n", "dissipated"});
  for (const ChainRun& run : runs)
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const RecoveredQuantities& at = run.found[i];
      const Index last = run.model.chain.n() - 1;
      csv.add_row(
          {run.chosen.name, run.times[i], at.v[last], at.x, at.F_0, at.F_end, at.g[last], run.dissipated[i]});
    }
}

void run(Index n, const std::filesystem::path& output) {
  std::vector<ChainRun> runs = run_all(n);
  print_cases(runs);
  if (n == 5) compare_with_reference(runs);
  print_recovered(runs);
  measure_orders(runs);
  compare_limits(n);
  const std::vector<Loop> loops = measure_loops();

  const std::filesystem::path table = output / "chain.csv", motion = output / "chain.png",
                              hysteresis = output / "loops.png";
  write_table(runs, table);
  draw(runs, motion);
  draw(loops, hysteresis);
  std::cout << "\nWritten: " << table.string() << ", " << motion.string() << ", " << hysteresis.string()
            << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "The chain of Bastien and Lamarque: seven models, each given as assembled matrices and directions.");
  Index n = 5;
  std::filesystem::path output = ".";
  app.add_option("--nodes", n, "Number of nodes")->check(CLI::Range(2, 200))->capture_default_str();
  app.add_option("--output", output, "Folder for table and pictures")->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
    run(n, output);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const InvalidInput& error) {
    std::cerr << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
