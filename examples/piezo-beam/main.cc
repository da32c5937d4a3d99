// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/dealii/reduced.h>
#include <halfdof/output/result_files.h>
#include <halfdof/plots/plot.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <CLI/CLI.hpp>

#include "bar.h"
#include "theory.h"
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

using namespace halfdof;

namespace {

const double pi = std::acos(-1.);

using Matrix = dealii::SparseMatrix<double>;
using ReducedBar = ReducedFromDealII<Matrix>;

/// Returns a resistor R [Ohm m] between the floating electrode and the ground. The charge Q that flows
/// through the resistor is a new DoF, which is the only viscous DoF. The equation of the electrode becomes K
/// q + Q = 0, and the equation of Q is R Q' + V = 0 with the potential V of the electrode.
LumpedElements resistor(const Bar& bar, double resistance) {
  const auto charge = static_cast<GlobalIndex>(bar.dof_handler.n_dofs());
  LumpedElements circuit;
  circuit.new_dofs = {"Q"};
  circuit.damping = {{charge, charge, resistance}};
  circuit.stiffness = {{charge, bar.electrode, 1.}, {bar.electrode, charge, 1.}};
  return circuit;
}

ReducedBar reduce_bar(const Bar& bar, const LumpedElements& circuit = {}) {
  DealIIOptions<Matrix> options;
  options.component_names = {"u_x", "u_y", "phi"};
  options.attachments = circuit;
  return reduce(assembled_from_dealii(bar.mass, bar.damping, bar.stiffness, bar.constraints, {},
                                      bar.dof_handler, options));
}

/// Finds the first longitudinal mode of the bar. Of the modes near the expected frequency [Hz], it has the
/// largest effective mass along the bar; the other modes are bending modes.
Mode stretching_mode(const ReducedBar& reduced, double expected_frequency) {
  const auto nearest = nearest_eigenvalues(reduced, 4, Complex(0, 2 * pi * expected_frequency));
  const ModeTable table = mode_table(reduced, nearest);
  const Index along_x = 0;
  Index stretching = 0;
  table.effective_mass.col(along_x).maxCoeff(&stretching);
  return table.modes[static_cast<std::size_t>(stretching)];
}

/// A table with the columns quantity, theory and finite elements. The function print() throws an error if a
/// difference exceeds its limit, because the example is also a test.
class Comparison {
 public:
  void add(const std::string& quantity, double theory, double found, double allowed) {
    const double difference = std::abs(found / theory - 1);
    table_.add_row({quantity, theory, found, difference, allowed});
    if (!(difference <= allowed)) missed_ = quantity;
  }
  void print() const {
    std::cout << table_;
    if (!missed_.empty()) throw Error("The finite-element result differs from the theory: " + missed_ + ".");
  }

 private:
  TextTable table_{{"",
                    "theory",
                    "finite elements",
                    {"relative difference", NumberStyle::scientific, 1},
                    {"allowed", NumberStyle::scientific, 0}}};
  std::string missed_;
};

/// Checks that the elimination of the potentials preserves the finite spectrum.
void compare_eigenvalues(const ReducedBar& reduced, double omega) {
  ComparisonOptions options;
  options.shift = Complex(0, omega);
  const SpectrumComparison spectra = compare_spectra(reduced, 6, options);
  std::cout << "\nEigenvalues before and after, nearest to the first stretching mode:\n";
  spectra.print(std::cout);
  if (!spectra.passed) throw Error("The elimination changed the spectrum of the bar.");
}

/// The frequency and damping of the longitudinal mode over the resistance of the shunt, from finite elements
/// and from theory.
struct Sweep {
  Vector resistance, frequency, damping_ratio;  ///< [Ohm m], [Hz], [-]
  Vector theory_frequency, theory_damping_ratio;
};

Sweep sweep(const Bar& floating, const ShuntedMode& theory) {
  const Index n = 41;
  Sweep sweep{Vector(n), Vector(n), Vector(n), Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const double r = theory.best_r() * std::pow(10., (i - n / 2) / 10.);
    sweep.resistance[i] = theory.resistance(r);
    sweep.theory_frequency[i] = theory.frequency(r);
    sweep.theory_damping_ratio[i] = theory.damping_ratio(r);
    const Mode mode =
        stretching_mode(reduce_bar(floating, resistor(floating, theory.resistance(r))), theory.frequency(r));
    sweep.frequency[i] = mode.natural_frequency;
    sweep.damping_ratio[i] = mode.damping_ratio;
  }
  return sweep;
}

void write_table(const Sweep& sweep, const std::filesystem::path& file) {
  CsvTable csv(file, {"R [Ohm m]", "f [Hz]", "damping ratio [-]"});
  for (Index i = 0; i < sweep.resistance.size(); ++i)
    csv.add_row({sweep.resistance[i], sweep.frequency[i], sweep.damping_ratio[i]});
}

void draw(const Sweep& sweep, const ShuntedMode& theory, const std::filesystem::path& file) {
  const Vector& R = sweep.resistance;
  const auto level = [&](double value) { return Vector(Vector::Constant(R.size(), value)); };
  const Axis resistance{"resistance times width [Ohm m]", AxisScale::logarithmic};
  const double kHz = 2e3 * pi;
  const CurvePanel frequency{"Frequency of the first stretching mode",
                             resistance,
                             {"frequency [kHz]"},
                             {{"theory", R, sweep.theory_frequency / 1e3},
                              {"finite elements", R, sweep.frequency / 1e3, CurveStyle::points},
                              {"shorted", R, level(theory.omega_r / kHz), CurveStyle::dashed_line},
                              {"open", R, level(theory.omega_a / kHz), CurveStyle::dashed_line}}};
  const CurvePanel damping{"Damping by the shunt",
                           resistance,
                           {"damping ratio [%]"},
                           {{"theory", R, 100 * sweep.theory_damping_ratio},
                            {"finite elements", R, 100 * sweep.damping_ratio, CurveStyle::points},
                            {"largest loss factor / 2", R, level(100 * theory.half_the_largest_loss_factor()),
                             CurveStyle::dashed_line}}};
  Plot plot;
  plot.title = "Piezoelectric bar with a resistive shunt";
  plot.panels = {frequency, damping};
  plot.width = 800;
  write_png(plot, file);
}

/// Compares the first longitudinal mode of the finite elements, with shorted and with open electrodes, with
/// the theory. Returns the mode for the theory of the shunt.
ShuntedMode first_mode(const Ceramic& ceramic, const Bar& grounded, const Bar& floating,
                       Comparison& comparison) {
  const double k_31 = coupling_factor(ceramic);
  const double theory_f_r = shorted_frequency(ceramic, Bar::length);
  const double theory_f_a = open_frequency(theory_f_r, k_31);
  const double f_r = stretching_mode(reduce_bar(grounded), theory_f_r).frequency;
  const double f_a = stretching_mode(reduce_bar(floating), theory_f_a).frequency;
  comparison.add("f_r, electrodes shorted [Hz]", theory_f_r, f_r, 1e-4);
  comparison.add("f_a, electrodes open [Hz]", theory_f_a, f_a, 1e-4);
  comparison.add("k_31 from f_r and f_a", k_31, coupling_factor(f_r, f_a), 1e-3);
  return {2 * pi * f_r, 2 * pi * f_a, blocked_capacitance(ceramic) * Bar::length / Bar::thickness};
}

void run(const std::string& mesh, const std::filesystem::path& output) {
  const Ceramic ceramic;
  const Bar grounded(ceramic, mesh, Electrode::grounded), floating(ceramic, mesh, Electrode::floating);

  Comparison comparison;
  const ShuntedMode theory = first_mode(ceramic, grounded, floating, comparison);
  const double r = theory.best_r(), R = theory.resistance(r);
  const ReducedBar damped = reduce_bar(floating, resistor(floating, R));
  damped.print_summary(std::cout);
  compare_eigenvalues(damped, theory.omega_r);

  const Mode mode = stretching_mode(damped, theory.frequency(r));
  comparison.add("f shunted by " + to_text(R) + " Ohm m [Hz]", theory.frequency(r), mode.natural_frequency,
                 1e-3);
  comparison.add("damping ratio", theory.best_damping_ratio(), mode.damping_ratio, 1e-3);
  comparison.add("damping ratio as eta_max / 2", theory.half_the_largest_loss_factor(), mode.damping_ratio,
                 5e-2);
  std::cout << "\nThe first stretching mode:\n";
  comparison.print();

  const Sweep shunted = sweep(floating, theory);
  const std::filesystem::path table = output / "piezo-beam.csv", picture = output / "piezo-beam.png";
  write_table(shunted, table);
  draw(shunted, theory, picture);
  std::cout << "\nWritten: " << table.string() << ", " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A piezoelectric bar, shorted, open, and damped by a resistor between its electrodes.");
  std::string mesh = MESHES "/piezo-bar.msh";
  std::filesystem::path output = ".";
  app.add_option("--mesh", mesh, "Gmsh file, in metres")->check(CLI::ExistingFile);
  app.add_option("--output", output, "Folder for table and picture")->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
    run(mesh, output);
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
