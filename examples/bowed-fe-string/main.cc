// SPDX-License-Identifier: LGPL-2.1-or-later
// The memory kernel of a bowed string from a finite-element mesh, see examples/bowed-fe-string/README.md.
#include <halfdof/dealii/reduced.h>
#include <halfdof/memory/memory_equation.h>
#include <halfdof/memory/sampled_memory.h>
#include <halfdof/memory/structure_modes.h>
#include <halfdof/plots/plot.h>

#include <CLI/CLI.hpp>
#include <deal.II/base/mpi.h>

#include "assembled_string.h"
#include "bowing.h"
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace halfdof;
using namespace bowing;

namespace {

constexpr double place = 0.4, damping = 0.1;

/// Computes all modes of the finite-element model, and their values at the contact point.
ClassicalStructure modes_of_mesh(unsigned int n_refinements) {
  StringModel model;
  model.tension = model.mass = 1;  // c = 1
  const AssembledString string(model, MESHES "/string.msh", n_refinements);
  const auto assembled = assembled_from_dealii(string.mass, string.damping, string.stiffness,
                                               string.constraints, {}, string.dof_handler);
  const auto reduced = reduce(assembled);
  const Inclusions<EigenEngine> contact(
      reduced, {inclusion("bow", bow().law, Direction({{string.dof_at(place), 1.}}))});
  ClassicalStructureOptions options;
  options.n_modes = static_cast<Index>(assembled.n_dofs());
  options.damping_ratio = damping;
  return classical_structure(contact, options);
}

/// Returns the largest difference between L^1 of the mesh and the closed form for 0.05 < tau < 4, after the
/// first wave front.
double kernel_error(const MemoryEquation& equation, const StringKernel& string) {
  double largest = 0;
  for (double tau = 0.05; tau < 4; tau += 0.01)
    largest = std::max(largest, std::abs(equation.L_1(tau)(1, 0) - string.L_1(tau)));
  return largest;
}

/// Checks that each error is less than `factor` times the error on the mesh before. @throws Error otherwise
void check_decrease(const std::string& what, const std::vector<double>& errors, double factor) {
  for (std::size_t i = 1; i < errors.size(); ++i)
    if (!(errors[i] < factor * errors[i - 1]))
      throw Error(what + " decreases too slowly with refinement of the mesh.");
}

void run(const std::filesystem::path& output, unsigned int n_meshes, double end) {
  const StringKernel string(1, place, damping);
  const double step = 1e-3;
  const Track exact = by_closed_kernel(string, step, end);
  CurvePanel kernels{"Memory of the string", {"time since the force changed [-]"}, {"L^1 [-]"}};
  CurvePanel rates{"Rate of the contact", {"time [-]"}, {"rate [-]"}};
  CurvePanel errors{"Beside all modes of the continuous string",
                    {"elements [-]", AxisScale::logarithmic},
                    {"largest error [-]", AxisScale::logarithmic}};
  const Vector tau = Vector::LinSpaced(801, 0, 2);
  std::vector<double> elements, of_kernel, of_motion;

  std::cout << "elements  modes  first frequency/pi  error of L^1  of the displacement\n";
  for (unsigned int refined = 0; refined < n_meshes; ++refined) {
    const ClassicalStructure found = modes_of_mesh(refined);
    const MemoryEquation equation(contact_modes(found.modes), {0});
    const Track track = by_modes(found.modes, step, end);
    elements.push_back(40 * std::pow(2., refined));
    of_kernel.push_back(kernel_error(equation, string));
    of_motion.push_back((track.displacement - exact.displacement).cwiseAbs().maxCoeff());
    std::cout << std::setw(8) << elements.back() << std::setw(7) << found.modes.frequency.size() << "  "
              << std::setw(18) << std::setprecision(12) << found.modes.frequency[0] / std::acos(-1.)
              << std::setprecision(4) << "  " << std::setw(12) << of_kernel.back() << "  " << of_motion.back()
              << '\n';
    const std::string name = std::to_string(static_cast<int>(elements.back())) + " elements";
    Vector L_1(tau.size());
    for (Eigen::Index i = 0; i < tau.size(); ++i)
      L_1[i] = equation.L_1(tau[i])(1, 0);
    kernels.curves.push_back({name, tau, L_1});
    if (refined == 0) rates.curves.push_back({name, track.time, track.rate});
  }
  Vector closed(tau.size());
  for (Eigen::Index i = 0; i < tau.size(); ++i)
    closed[i] = string.L_1(tau[i]);
  kernels.curves.push_back({"closed form", tau, closed, CurveStyle::dashed_line});
  rates.curves.push_back({"closed kernel", exact.time, exact.rate, CurveStyle::dashed_line});
  check_decrease("The error of the kernel", of_kernel, 0.6);
  check_decrease("The error of the motion", of_motion, 0.7);
  const auto vector = [](const std::vector<double>& values) {
    return Vector(Vector::Map(values.data(), static_cast<Eigen::Index>(values.size())));
  };
  errors.curves = {{"kernel", vector(elements), vector(of_kernel), CurveStyle::line_with_points},
                   {"displacement", vector(elements), vector(of_motion), CurveStyle::line_with_points}};

  Plot plot;
  plot.title = "A bowed string from its mesh";
  plot.width = 760;
  plot.panels = {kernels, rates, errors};
  const std::filesystem::path picture = output / "bowed-fe-string.png";
  write_png(plot, picture);
  std::cout << "\nWritten: " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  CLI::App app("Stick-slip of a string under a bow, from a finite-element mesh to its contact point.");
  std::filesystem::path output = ".";
  unsigned int n_meshes = 4;
  double end = 10;
  app.add_option("--output", output, "Folder for the picture")->check(CLI::ExistingDirectory);
  app.add_option("--meshes", n_meshes, "Number of meshes, each with twice as many elements as the one before")
      ->check(CLI::Range(2, 5))
      ->capture_default_str();
  app.add_option("--end", end, "Time at which runs end")->check(CLI::Range(1., 1000.))->capture_default_str();
  try {
    app.parse(argc, argv);
    run(output, n_meshes, end);
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
