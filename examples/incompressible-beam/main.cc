// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/dealii/reduced.h>
#include <halfdof/plots/plot.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <CLI/CLI.hpp>
#include <deal.II/base/mpi.h>

#include "beam.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

constexpr Index n_modes = 4;
constexpr double two_pi = 6.283185307179586;

auto reduced(const Beam& beam, const std::vector<std::string>& names) {
  DealIIOptions<dealii::SparseMatrix<double>> options;
  options.component_names = names;
  return reduce(assembled_from_dealii(beam.mass, beam.damping, beam.stiffness, beam.constraints, {},
                                      beam.dof_handler, options));
}

/// Computes the lowest frequencies [Hz]. @throws Error if the spectra before and after the elimination
/// disagree
template <class Reduced>
std::vector<double> frequencies(const Reduced& system) {
  const SpectrumComparison spectra = compare_spectra(system, 2 * n_modes);
  if (!spectra.passed) throw Error("The elimination of the pressure changed the spectrum.");
  std::vector<double> found;
  for (const Complex value : spectra.after.finite)
    if (value.imag() > 0) found.push_back(value.imag() / two_pi);
  std::sort(found.begin(), found.end());
  return found;
}

/// Prints a value and its limit. @throws Error if the value exceeds the limit, because the example is also a
/// test
void check(const std::string& quantity, double value, double allowed) {
  std::cout << quantity << ": " << value << ", allowed " << allowed << '\n';
  if (!(value <= allowed)) throw Error(quantity + " is too large.");
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) throw Error("Two formulations have different numbers of modes.");
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(a[i] / b[i] - 1));
  return largest;
}

/// The differences of nearly incompressible formulations from the incompressible formulation over 1 - 2 nu.
struct Approach {
  std::vector<double> distance, mixed, displacement;
};

Approach approach(const Rubber& rubber, const std::vector<double>& exact, unsigned int n_cells) {
  Approach found;
  TextTable table({"1 - 2 nu",
                   {"displacement and pressure", NumberStyle::scientific, 2},
                   {"displacement alone", NumberStyle::scientific, 2}});
  for (const double distance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const double compressibility = 1 / rubber.lambda(0.5 * (1 - distance));
    const Beam mixed(rubber, Formulation::mixed, compressibility, n_cells),
        displacement(rubber, Formulation::displacement, compressibility, n_cells);
    found.distance.push_back(distance);
    found.mixed.push_back(largest_difference(frequencies(reduced(mixed, {"u_x", "u_y", "p"})), exact));
    found.displacement.push_back(
        largest_difference(frequencies(reduced(displacement, {"u_x", "u_y"})), exact));
    table.add_row({distance, found.mixed.back(), found.displacement.back()});
  }
  std::cout << "\nLargest relative difference of " << n_modes
            << " frequencies from those without any change of volume:\n"
            << table;
  return found;
}

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

void write_picture(const Approach& found, const std::filesystem::path& picture) {
  const Vector x = vector_of(found.distance);
  Plot plot;
  plot.title = "A rubber beam without change of volume";
  plot.width = 760;
  plot.panels.push_back(CurvePanel{
      "Nearly incompressible formulations against the pressure eliminated exactly",
      {"1 - 2 nu [-]", AxisScale::logarithmic},
      {"largest relative difference of frequencies [-]", AxisScale::logarithmic},
      {{"displacement and pressure", x, vector_of(found.mixed), CurveStyle::line_with_points},
       {"displacement alone", x, vector_of(found.displacement), CurveStyle::line_with_points},
       {"in proportion to 1 - 2 nu", x, 0.3 * found.mixed.front() / x[0] * x, CurveStyle::dashed_line}}});
  write_png(plot, picture);
}

void run(const std::filesystem::path& output, unsigned int n_cells) {
  const Rubber rubber;
  const Beam beam(rubber, Formulation::mixed, 0., n_cells);
  const auto incompressible = reduced(beam, {"u_x", "u_y", "p"});
  incompressible.print_summary(std::cout);
  const GlobalIndex n_new =
      incompressible.assembled().n_dofs() - static_cast<GlobalIndex>(beam.dof_handler.n_dofs());
  if (incompressible.method() != ReductionMethod::constraints && n_new == 0)
    throw Error("The pressure was not found to be a multiplier.");
  const std::vector<double> exact = frequencies(incompressible);
  std::cout << "\nFrequencies without any change of volume [Hz]:";
  for (const double frequency : exact)
    std::cout << ' ' << frequency;
  std::cout << "\nFirst frequency of a slender beam [Hz]: " << rubber.first_frequency() << '\n';
  check("Its relative difference", std::abs(exact[0] / rubber.first_frequency() - 1), 0.02);

  const Approach found = approach(rubber, exact, n_cells);
  check("Difference of the mixed formulation at 1e-6", found.mixed.back(), 1e-5);
  for (std::size_t i = 0; i + 1 < found.mixed.size(); ++i)
    check("Its fall from one line to the next, against ten times",
          std::abs(found.mixed[i] / found.mixed[i + 1] / 10 - 1), 0.1);
  check("Difference of displacements alone at 1e-3", found.displacement[1], 0.03);
  const std::filesystem::path picture = output / "incompressible-beam.png";
  write_picture(found, picture);
  std::cout << "\nWritten: " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A rubber beam by Taylor-Hood elements: the pressure is a multiplier, eliminated exactly.");
  std::filesystem::path output = ".";
  unsigned int n_cells = 2;
  app.add_option("--output", output, "Folder for the picture")->check(CLI::ExistingDirectory);
  app.add_option("--cells", n_cells, "Cells over the height of the beam")->check(CLI::Range(1, 32));
  try {
    app.parse(argc, argv);
    const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
    run(output, n_cells);
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
