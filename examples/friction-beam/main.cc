// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/output/result_files.h>

#include <CLI/CLI.hpp>
#include <deal.II/base/mpi.h>

#include "bar.h"
#include "checks.h"
#include "experiment.h"
#include "pictures.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <sstream>

namespace {

using halfdof::ContactState;

struct Options {
  std::string mesh = MESHES "/friction-beam.msh";
  std::string output = ".";
  unsigned int n_refinements = 0;
  double end_time = 60e-3;  ///< end of the steady motion [s]
};

/// Reads the options. @throws CLI::ParseError if an option is wrong, and also for --help
Options parse(CLI::App& app, int argc, char** argv) {
  Options options;
  bool small = false;
  app.add_option("--mesh", options.mesh, "Gmsh file")->capture_default_str();
  app.add_option("--refine", options.n_refinements,
                 "number of refinements, each of which divides a cell into four");
  app.add_option("--output", options.output, "folder for VTU, CSV and PNG")->capture_default_str();
  app.add_flag("--small", small, "integrate only a sixth of the steady motion");
  app.parse(argc, argv);
  if (small) options.end_time /= 6;
  return options;
}

void write_csv(const Run& run, const std::string& file) {
  halfdof::CsvTable csv(file, {"time [s]", "slide [m]", "friction [N/m]", "normal force [N/m]",
                               "dissipated [J/m]", "stick", "slip forward", "slip back", "open"});
  for (const Instant& now : run.instants) {
    const auto n = [&](ContactState state) {
      return std::count(now.states.begin(), now.states.end(), state);
    };
    csv.add_row({now.time, now.support_displacement, now.friction.sum(), now.normal.sum(), now.dissipated,
                 n(ContactState::stick), n(ContactState::slip_forward), n(ContactState::slip_back),
                 n(ContactState::open)});
  }
}

/// The energies of the last period of the slow motion.
struct Cycle {
  double work = 0;        ///< work of the support on the beam [J/m]
  double dissipated = 0;  ///< dissipated energy [J/m]
};
Cycle last_cycle(const Run& run) {
  Cycle cycle;
  const auto& instants = run.instants;
  const auto begin = std::find_if(instants.begin(), instants.end(),
                                  [](const Instant& now) { return now.time == quarter_time; });
  for (auto now = begin + 1; now != instants.end(); ++now)
    cycle.work += 0.5 * (now->friction.sum() + (now - 1)->friction.sum()) *
                  (now->support_displacement - (now - 1)->support_displacement);
  cycle.dissipated = instants.back().dissipated - begin->dissipated;
  return cycle;
}

/// Returns the largest violation of all checks, except for the energy balances.
double largest_violation(const halfdof::VerificationReport& report) {
  double largest = 0;
  for (std::size_t c = 0; c < halfdof::n_checks; ++c)
    if (c != static_cast<std::size_t>(halfdof::Check::energy) &&
        c != static_cast<std::size_t>(halfdof::Check::dissipated))
      largest = std::max(largest, report.violations[c].value);
  return largest;
}

FrictionBar bar_of(const Rubber& rubber) {
  using Beam = RubbingBeam<SerialLinearAlgebra>;
  const double plane_strain = rubber.young / (1 - rubber.poisson * rubber.poisson);
  return {plane_strain * Beam::height, friction_coefficient * pressure, Beam::length};
}

template <class LinearAlgebra>
void check_loop(const Loop& loop, const RubbingBeam<LinearAlgebra>& beam, Checks& checks) {
  const Instant& first = *std::find_if(loop.run.instants.begin(), loop.run.instants.end(),
                                       [](const Instant& now) { return now.time == first_time; });
  checks.compare("first stiffness, all stick [N/m2]", first.friction.sum() / first.support_displacement,
                 beam.sticking_stiffness(), 1e-6);
  // At both ends of the loop all points slip, so that the friction force is mu times the normal force of the
  // support.
  const auto slip_force = [](const std::array<double, 2>& clamp) {
    return friction_coefficient * (pressure * RubbingBeam<LinearAlgebra>::length - clamp[1]);
  };
  checks.compare("force at the clamp, far end [N/m]", -loop.clamp_at_far_end[0],
                 slip_force(loop.clamp_at_far_end), 1e-6);
  checks.compare("force at the clamp, near end [N/m]", loop.clamp_at_near_end[0],
                 slip_force(loop.clamp_at_near_end), 1e-6);
  const Cycle cycle = last_cycle(loop.run);
  checks.compare("area of the loop, dissipated [J/m]", cycle.work, cycle.dissipated, 5e-3);
  const FrictionBar bar = bar_of(beam.rubber);
  checks.compare("area of the loop, bar [J/m]", cycle.work, bar.loop_area(amplitude), 0.05);
  checks.compare("half height of the loop, bar [N/m]",
                 (loop.clamp_at_near_end[0] - loop.clamp_at_far_end[0]) / 2, bar.first_force(amplitude),
                 0.05);
  checks.bound("slow: laws and balance", largest_violation(loop.run.verified), 1e-5);
}

/// Returns the ratio of friction force and normal force, averaged over the second half of the run.
double apparent_friction(const Run& run) {
  double friction = 0, normal = 0;
  for (std::size_t n = run.instants.size() / 2; n < run.instants.size(); ++n) {
    friction += std::abs(run.instants[n].friction.sum());
    normal += run.instants[n].normal.sum();
  }
  return friction / normal;
}

void check_waves(const Run& waves, const std::vector<halfdof::Complex>& sliding, Checks& checks) {
  checks.bound("steady: laws and balance", largest_violation(waves.verified), 1e-9);
  checks.bound("steady: energy", waves.verified[halfdof::Check::energy].value, 1e-9);
  const auto fastest = *std::max_element(sliding.begin(), sliding.end(),
                                         [](const auto& a, const auto& b) { return a.real() < b.real(); });
  checks.above("growth of waves in steady sliding [1/s]", fastest.real(), 0.);
  checks.above("coefficient, and apparent one", friction_coefficient, apparent_friction(waves));
}

/// Returns the largest difference of the friction forces of two runs, relative to the largest force.
double difference(const Run& a, const Run& b) {
  double largest = 0, size = 0;
  for (std::size_t n = 0; n < a.instants.size(); ++n) {
    largest = std::max(largest, (a.instants[n].friction - b.instants[n].friction).cwiseAbs().maxCoeff());
    size = std::max(size, b.instants[n].friction.cwiseAbs().maxCoeff());
  }
  return largest / size;
}

template <class LinearAlgebra>
bool run(const Options& options) {
  const bool writes = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
  std::ostringstream silent;
  std::ostream& out = writes ? std::cout : silent;
  std::filesystem::create_directories(options.output);

  Experiment<LinearAlgebra> experiment(options.mesh, options.n_refinements, options.output);
  experiment.reduced().print_summary(out);
  const Loop loop = experiment.loop(out);
  out << "\nThe support slides slowly to and fro; implicit Euler:\n" << loop.run.verified;
  const Run waves = experiment.waves(options.end_time);
  out << "\nIt slides steadily towards the clamp; Moreau-Jean:\n" << waves.verified;

  Checks checks;
  check_loop(loop, experiment.beam(), checks);
  check_waves(waves, experiment.sliding_eigenvalues(), checks);
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1) {
    Experiment<SerialLinearAlgebra> alone(options.mesh, options.n_refinements, std::nullopt);
    checks.bound("slow: one process", difference(loop.run, alone.loop(silent).run), 1e-6);
    checks.bound("steady: one process", difference(waves, alone.waves(options.end_time)), 1e-6);
  }
  out << '\n' << checks;

  if (writes) {
    write_csv(loop.run, options.output + "/loop.csv");
    write_csv(waves, options.output + "/waves.csv");
    draw_loop(loop.run, bar_of(experiment.beam().rubber), options.output + "/loop.png");
    draw_waves(waves, options.output + "/waves.png");
  }
  out << "Written to " << std::filesystem::absolute(options.output).lexically_normal().string() << ":\n"
      << "  friction-beam.pvd (ParaView), loop.csv, waves.csv, loop.png, waves.png\n";
  return checks.passed();
}

}  // namespace

int main(int argc, char** argv) {
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  CLI::App app("A rubber cantilever on a support: the loop of slow rubbing, and the waves of steady rubbing");
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
