// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/dealii/reduced.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/output/result_files.h>
#include <halfdof/plots/plot.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <CLI/CLI.hpp>

#include "column.h"
#include "terzaghi.h"
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

using Matrix = dealii::SparseMatrix<double>;
using ReducedColumn = ReducedFromDealII<Matrix>;

constexpr double load = 0.1;  // [MPa]
constexpr unsigned int n_elements = 40;
constexpr int n_rates = 4;
/// The times at which profiles are shown, in units of H^2 / c.
constexpr double shown[] = {0.01, 0.03, 0.1, 0.3, 1.};

/// The results of a consolidation: pressures over depth at the times shown, and the settlement over time.
struct Consolidation {
  std::string name;
  Terzaghi theory;
  std::vector<double> depth;                   ///< [m]
  std::vector<std::vector<double>> pressures;  ///< pressures over depth at each time shown [MPa]
  std::vector<double> time, settlement;        ///< time [a] and settlement [m] of all steps
};

/// Throws an Error if a difference exceeds its limit, because the example is also a test.
void check(const std::string& quantity, double difference, double allowed) {
  if (!(difference <= allowed))
    throw Error("The column differs from the closed form: the error of " + quantity + " is " +
                to_text(difference) + ", but at most " + to_text(allowed) + " is allowed.");
}

void compare_rates(const ReducedColumn& reduced, const Terzaghi& theory) {
  ComparisonOptions options;
  options.shift = Complex(0.1 * theory.rate(0), 0);
  const SpectrumComparison spectra = compare_spectra(reduced, n_rates, options);
  spectra.print(std::cout);
  if (!spectra.passed) throw Error("The elimination changed the spectrum of the column.");
  std::vector<double> rates;
  for (const Complex& s : spectra.after.finite)
    rates.push_back(s.real());
  std::sort(rates.rbegin(), rates.rend());
  TextTable table({"Terzaghi [1/a]",
                   "finite elements [1/a]",
                   {"relative difference", NumberStyle::scientific, 1},
                   {"allowed", NumberStyle::scientific, 1}});
  for (int j = 0; j < n_rates; ++j) {
    const double found = rates.at(static_cast<std::size_t>(j)), exact = theory.rate(j);
    // Linear elements of length h increase the decay rate of a wave sin(a z / H) by the relative error (a h /
    // H)^2 / 12.
    const double a_squared = -exact * Column::height * Column::height / theory.diffusivity(),
                 allowed = 2 * a_squared / (12. * n_elements * n_elements),
                 difference = std::abs(found / exact - 1);
    table.add_row({exact, found, difference, allowed});
    check("rate " + std::to_string(j), difference, allowed);
  }
  std::cout << "\nRates of consolidation:\n" << table;
}

/// Integrates the consolidation from the state before the load, with steps that increase as the consolidation
/// slows down.
void consolidate(const Column& column, const ReducedColumn& reduced, Consolidation& run) {
  const double unit = column.height * column.height / run.theory.diffusivity();
  dealii::Vector<double> displacement(column.dof_handler.n_dofs()), rate(column.dof_handler.n_dofs());
  auto state = consistent_state(reduced, displacement, rate);
  const auto record = [&](const auto& now) {
    reduced.lift(now.state(), displacement);
    run.time.push_back(now.time());
    run.settlement.push_back(column.settlement(displacement));
  };
  for (const double end : shown) {
    RadauIIA5(reduced, (end * unit - state.time) / 40).run(state, end * unit, record);
    reduced.lift(state, displacement);
    std::vector<double> pressure;
    for (const double z : run.depth)
      pressure.push_back(column.pressure_at(displacement, z));
    run.pressures.push_back(std::move(pressure));
  }
}

void check_motion(const Consolidation& run) {
  double of_pressure = 0, of_settlement = 0;
  for (std::size_t k = 0; k < run.pressures.size(); ++k) {
    const double t = shown[k] * Column::height * Column::height / run.theory.diffusivity();
    for (std::size_t i = 0; i < run.depth.size(); ++i)
      of_pressure =
          std::max(of_pressure, std::abs(run.pressures[k][i] - run.theory.pressure(run.depth[i], t)));
  }
  for (std::size_t i = 0; i < run.time.size(); ++i)
    if (run.time[i] > 0)
      of_settlement =
          std::max(of_settlement, std::abs(run.settlement[i] - run.theory.settlement(run.time[i])));
  of_pressure /= run.theory.undrained_pressure();
  of_settlement /= run.theory.settlement(1e9);
  std::cout << "Largest differences from Terzaghi: " << to_text(of_pressure)
            << " of the first pressure in the profiles shown, " << to_text(of_settlement)
            << " of the last settlement at all steps.\n";
  check("the pressure", of_pressure, 2e-3);
  check("the settlement", of_settlement, 1e-2);
}

Consolidation consolidation(const std::string& name, double storage) {
  Soil soil;
  soil.storage = storage;
  const Column column(soil, n_elements);
  DealIIOptions<Matrix> options;
  options.component_names = {"u_x", "u_y", "p"};
  dealii::Vector<double> surface_load = column.unit_load;
  surface_load *= load;
  const auto assembled = assembled_from_dealii(column.mass, column.damping, column.stiffness,
                                               column.constraints, surface_load, column.dof_handler, options);
  std::cout << "\n== " << name << " ==\n";
  const auto reduced = reduce(assembled);
  reduced.print_summary(std::cout);

  Consolidation run{name, {soil, Column::height, load}, {}, {}, {}, {}};
  for (unsigned int i = 0; i <= n_elements; ++i)
    run.depth.push_back(Column::height * i / n_elements);
  compare_rates(reduced, run.theory);
  consolidate(column, reduced, run);
  check_motion(run);
  return run;
}

Vector vector_of(const std::vector<double>& values, double factor = 1) {
  return factor * Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

constexpr double kPa = 1e3, mm = 1e3;  // factors of conversion from MPa and m

CurvePanel profiles(const Consolidation& run) {
  CurvePanel panel{"Pore pressure, " + run.name, {"pressure [kPa]"}, {"height above the rock [m]"}, {}};
  const Vector height =
      Vector::Constant(static_cast<Eigen::Index>(run.depth.size()), Column::height) - vector_of(run.depth);
  const double unit = Column::height * Column::height / run.theory.diffusivity();
  for (const double part : shown) {
    std::vector<double> exact;
    for (const double z : run.depth)
      exact.push_back(run.theory.pressure(z, part * unit));
    panel.curves.push_back({"Terzaghi, " + to_text(part) + " H^2/c", vector_of(exact, kPa), height});
  }
  std::vector<double> found, at;
  for (const std::vector<double>& pressure : run.pressures)
    for (std::size_t i = 0; i < pressure.size(); i += 2) {
      found.push_back(pressure[i]);
      at.push_back(Column::height - run.depth[i]);
    }
  panel.curves.push_back({"finite elements", vector_of(found, kPa), vector_of(at), CurveStyle::points});
  panel.height = 300;
  return panel;
}

CurvePanel settlements(const std::vector<Consolidation>& runs) {
  CurvePanel panel{
      "Settlement of the surface", {"time [years]", AxisScale::logarithmic}, {"settlement [mm]"}, {}};
  for (const Consolidation& run : runs) {
    std::vector<double> exact;
    for (const double t : run.time)
      exact.push_back(run.theory.settlement(std::max(t, 1e-9)));
    panel.curves.push_back({"Terzaghi, " + run.name, vector_of(run.time), vector_of(exact, mm)});
  }
  for (const Consolidation& run : runs) {
    std::vector<double> time, settlement;
    for (std::size_t i = 1; i < run.time.size(); i += 8) {
      time.push_back(run.time[i]);
      settlement.push_back(run.settlement[i]);
    }
    panel.curves.push_back(
        {"finite elements, " + run.name, vector_of(time), vector_of(settlement, mm), CurveStyle::points});
  }
  panel.height = 300;
  return panel;
}

void write(const std::vector<Consolidation>& runs, const std::filesystem::path& output) {
  CsvTable csv(output / "poroelastic-column.csv", {"run", "time [a]", "settlement [m]", "Terzaghi [m]"});
  for (const Consolidation& run : runs)
    for (std::size_t i = 0; i < run.time.size(); ++i)
      csv.add_row({run.name, run.time[i], run.settlement[i],
                   run.time[i] > 0 ? run.theory.settlement(run.time[i]) : 0.});
  Plot plot;
  plot.title = "Consolidation of a column of saturated soil";
  plot.n_columns = 3;
  plot.width = 1500;
  for (const Consolidation& run : runs)
    plot.panels.push_back(profiles(run));
  plot.panels.push_back(settlements(runs));
  write_png(plot, output / "poroelastic-column.png");
  std::cout << "\nWritten: " << (output / "poroelastic-column.csv").string() << ", "
            << (output / "poroelastic-column.png").string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  CLI::App app(
      "Consolidation of a column of saturated soil, with and without storage, beside Terzaghi's theory.");
  std::filesystem::path output = ".";
  app.add_option("--output", output, "Folder for table and picture")->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
    write({consolidation("no storage", 0), consolidation("storage 0.05/MPa", 0.05)}, output);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
