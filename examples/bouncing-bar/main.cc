// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>

#include <CLI/CLI.hpp>

#include "pictures.h"
#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>
#include <string>

using namespace halfdof;

namespace {

void print(const Bar& bar, const std::vector<Run>& runs) {
  TextTable table({"contact node",
                   "integrator",
                   {"step [s]", NumberStyle::general, 3},
                   {"force error [%]", NumberStyle::fixed, 1},
                   {"largest force [N]", NumberStyle::fixed, 0},
                   {"tip error [m]", NumberStyle::fixed, 3},
                   {"energy drift [%]", NumberStyle::scientific, 1},
                   {"in the end [%]", NumberStyle::fixed, 3},
                   {"rebound [m/s]", NumberStyle::fixed, 3},
                   {"cost [ms]", NumberStyle::fixed, 0}});
  for (const Run& run : runs)
    table.add_row({run.mass, run.method, run.step > 0 ? TableCell(run.step) : TableCell(""),
                   100 * run.force_error(bar), run.force.maxCoeff(), run.tip_error(bar),
                   100 * run.energy_drift(bar), 100 * run.energy_change(bar), run.rebound,
                   1e3 * run.seconds});
  std::cout << table;
}

/// Finds the run of a method with a kind of mass.
const Run& find(const std::vector<Run>& runs, const std::string& mass, const std::string& method) {
  return *std::find_if(runs.begin(), runs.end(),
                       [&](const Run& run) { return run.mass == mass && run.method == method; });
}

void require(double value, double limit, const std::string& what) {
  if (!(std::abs(value) <= limit))
    throw Error(what + " is off by " + to_text(value) + ", more than " + to_text(limit) + ".");
}

/// Checks the runs against known results for the elastic bar and for a contact node without mass.
void check(const Bar& bar, const std::vector<Run>& runs, double loss) {
  const std::string at_rest = "event-driven, e = 0";
  require(find(runs, "standard", at_rest).energy_change(bar) / -loss - 1, 1e-2,
          "The energy that the impact of the contact node takes");
  require(find(runs, "massless", "event-driven").energy_drift(bar), 1e-7,
          "The energy of the bar with a massless contact node, without any error in time,");
  for (const Run& run : runs) {
    const std::string name = run.method + " with a massless contact node: ";
    if (run.mass != "massless") continue;
    require(run.force_error(bar), 0.2, name + "the contact force");
    if (run.method == "implicit Euler") continue;  // implicit Euler dissipates energy
    require(run.energy_drift(bar), 0.02, name + "the energy");
    require(run.rebound / bar.speed - 1, 0.03, name + "the velocity of the rebound");
  }
}

void run(Index n_elements, ElementMass mass, const std::filesystem::path& output) {
  const Bar bar;
  const auto description = assemble(bar, n_elements, mass);
  const Model standard(bar, description, 0.), massless(bar, with_massless_contact(description, {0}));
  std::cout << standard.outcome << '\n' << massless.outcome << '\n';
  // The impact stops the contact node, whose effective mass is 1 / W_I, so that its kinetic energy is lost.
  const double loss = bar.speed * bar.speed / (2 * standard.outcome.directions[0].W) / bar.energy();
  const std::vector<Run> runs = run_all(bar, n_elements, mass);
  print(bar, runs);
  std::cout << "\nThe impact of the contact node takes v_0^2 / (2 W_I), " << to_text(100 * loss)
            << " % of the energy.\n";
  const std::filesystem::path table = output / "bouncing-bar.csv", picture = output / "bouncing-bar.png";
  write_table(bar, runs, table);
  draw(bar, runs, picture);
  std::cout << "\nWritten: " << table.string() << ", " << picture.string() << '\n';
  check(bar, runs, loss);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("An elastic bar on a rigid floor, with and without mass at the contact.");
  Index n_elements = 60;
  bool is_lumped = false;
  std::filesystem::path output = ".";
  app.add_option("--elements", n_elements, "Linear elements of equal length")->check(CLI::Range(10, 240));
  app.add_flag("--lumped", is_lumped, "Lump the mass in the nodes");
  app.add_option("--output", output, "Folder for table and picture")->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
    run(n_elements, is_lumped ? ElementMass::lumped : ElementMass::consistent, output);
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
