// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/dealii/reduced.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/output/result_files.h>
#include <halfdof/plots/progress.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <CLI/CLI.hpp>
#include <deal.II/base/conditional_ostream.h>
#include <deal.II/base/mpi.h>

#include "beam.h"
#include "pictures.h"
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>

namespace {

/// The relaxation modulus of the polymer, E(t) = E_inf (1 + 5 exp(-t / 25 us)), of a standard linear solid
/// (Zener).
const halfdof::PronySeries zener{{5., 25e-6}};

constexpr double pull = 2e3;        // [N/m]
constexpr double time_step = 1e-4;  // [s]
constexpr int n_modes = 5;

struct Options {
  std::string mesh = MESHES "/sandwich-beam.msh";
  std::string output = ".";
  unsigned int n_refinements = 0;
  unsigned int degree = 2;
  double end_time = 1;  ///< [s]
};

/// Reads the options. @throws CLI::ParseError if an option is wrong, and also for --help
Options parse(CLI::App& app, int argc, char** argv) {
  Options options;
  bool small = false;
  app.add_option("--mesh", options.mesh, "Gmsh file")->capture_default_str();
  app.add_option("--refine", options.n_refinements,
                 "number of refinements, each of which divides a cell into four");
  app.add_option("--output", options.output, "folder for VTU, CSV and PNG")->capture_default_str();
  app.add_flag("--small", small,
               "linear elements and a tenth of the end time, which takes seconds and not a minute");
  app.parse(argc, argv);
  if (small) {
    options.degree = 1;
    options.end_time = 0.1;
  }
  return options;
}

/// Prints the modes of lowest frequency, and draws their shapes.
template <class LinearAlgebra, class Reduced>
void show_modes(const Beam<LinearAlgebra>& beam, const Reduced& reduced, const std::string& folder,
                std::ostream& out) {
  const auto nearest = halfdof::nearest_eigenvalues(reduced, 2 * n_modes);
  out << "\nTheir modes:\n";
  halfdof::mode_table(reduced, nearest).print(out);

  std::vector<ModeShape<typename LinearAlgebra::Vector>> shapes;
  for (std::size_t j = 0; j < nearest.eigenvalues.size() && shapes.size() < n_modes; ++j) {
    const halfdof::Mode mode = halfdof::mode_of(nearest.eigenvalues[j]);
    if (nearest.eigenvalues[j].imag() <= 0) continue;
    std::ostringstream title;
    title.precision(3);
    title << mode.frequency << " Hz, damping ratio " << 100 * mode.damping_ratio << " %";
    const halfdof::Vector shape = nearest.shapes.col(static_cast<halfdof::Index>(j)).real();
    shapes.push_back({title.str(), reduced.assembled_from_dealii().field(shape)});
  }
  draw_modes(beam, shapes, folder + "/modes.png");
}

/// Computes the motion after the tip mass was held by a force for a long time and released.
template <class LinearAlgebra, class Reduced>
void ring_down(Beam<LinearAlgebra>& beam, const Reduced& reduced, const Options& options, std::ostream& out) {
  auto displacement = beam.pulled_down(pull);
  auto velocity = displacement;
  velocity = 0.;
  auto state = consistent_state(reduced, displacement, velocity);
  out << '\n' << state.report;

  const bool writes = reduced.communicator().rank() == 0;
  std::optional<halfdof::CsvTable> csv;
  if (writes)
    csv.emplace(options.output + "/ring-down.csv",
                std::vector<std::string>{"time [s]", "tip [m]", "joint [m]", "kinetic energy [J/m]",
                                         "elastic energy [J/m]"});
  halfdof::ProgressOptions shown;
  shown.display = writes ? halfdof::ProgressDisplay::always : halfdof::ProgressDisplay::never;
  halfdof::Progress progress("ring-down", options.end_time, shown);
  Record record;
  unsigned int n_steps = 0;
  const auto observer = [&](const auto& now) {
    progress.update(now.time());
    if (n_steps++ % 5 != 0) return;
    reduced.lift(now.state(), displacement, velocity);  // sets all DoFs, including constrained ones
    record.time.push_back(now.time());
    record.tip.push_back(beam.displacement_at(displacement, beam.end_of_tip_mass, 1));
    record.joint.push_back(beam.displacement_at(displacement, beam.middle_of_joint, 1));
    record.kinetic.push_back(0.5 * beam.mass.matrix_norm_square(velocity));
    record.elastic.push_back(0.5 * beam.stiffness.matrix_norm_square(displacement));
    if (writes)
      csv->add_row(
          {now.time(), record.tip.back(), record.joint.back(), record.kinetic.back(), record.elastic.back()});
    if (n_steps % 50 == 1) beam.write_vtu(displacement, options.output, n_steps / 50, now.time());
  };
  halfdof::GeneralizedAlpha(reduced, time_step).run(state, options.end_time, observer);
  progress.finish();
  if (writes) draw_ring_down(record, options.output + "/ring-down.png");
}

template <class LinearAlgebra>
bool run(const Options& options) {
  std::ostringstream silent;
  std::ostream& out = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0 ? std::cout : silent;
  std::filesystem::create_directories(options.output);

  Beam<LinearAlgebra> beam(options.mesh, options.degree, options.n_refinements);
  const typename LinearAlgebra::Matrix no_damping;
  halfdof::DealIIOptions<typename LinearAlgebra::Matrix> details;
  details.component_names = {"x", "y"};
  details.viscoelastic = {halfdof::viscoelastic_branches(beam.polymer_stiffness, zener)};

  const auto assembled = halfdof::assembled_from_dealii(beam.mass, no_damping, beam.stiffness,
                                                        beam.constraints, {}, beam.dof_handler, details);
  const auto reduced = halfdof::reduce(assembled);  // classifies the DoFs and eliminates half DoFs exactly
  reduced.print_summary(out);

  out << "\nEigenvalues nearest to zero, before and after the elimination:\n";
  const auto spectra = halfdof::compare_spectra(reduced, 2 * n_modes);
  spectra.print(out);
  show_modes(beam, reduced, options.output, out);
  ring_down(beam, reduced, options, out);

  out << "Written to " << std::filesystem::absolute(options.output).lexically_normal().string() << ":\n"
      << "  ring-down.pvd (ParaView), ring-down.csv, ring-down.png, modes.png\n";
  return spectra.passed;
}

}  // namespace

int main(int argc, char** argv) {
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  CLI::App app("Modes and ring-down of a steel-polymer-steel cantilever with a tip mass on a massless joint");
  try {
    const Options options = parse(app, argc, argv);
    const bool alone = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1;
    const bool passed = alone ? run<SerialLinearAlgebra>(options) : run<DistributedLinearAlgebra>(options);
    return passed ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
