// SPDX-License-Identifier: LGPL-2.1-or-later
// Squeal of a block on a belt: a million steps of an equation with memory for its pads. See
// examples/squealing-block/README.md.
#include <halfdof/dealii/reduced.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/memory/structure_modes.h>
#include <halfdof/plots/plot.h>
#include <halfdof/plots/progress.h>

#include <CLI/CLI.hpp>
#include <deal.II/base/mpi.h>

#include "block.h"
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

struct Options {
  std::filesystem::path output = ".";
  unsigned int n_cells = 26;
  Index n_modes = 150;
  int n_steps = 1000000, n_full_steps = 10000;
  double step = 1.5e-7;  ///< [s]
  double tolerance = 1e-3;
};

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The rates of the pads relative to the belt, with one row for each recorded step.
struct Rates {
  Vector time;
  MultiVector w;
  double seconds_a_step = 0;
};

/// The block on the belt with its modes, and the two methods that integrate its motion.
class Squeal {
 public:
  explicit Squeal(const Options& options)
      : options_(options),
        block_(model_, options.n_cells),
        assembled_(assembled_from_dealii(block_.mass, block_.damping, block_.stiffness, block_.constraints,
                                         {}, block_.dof_handler, block_.pads(model_))),
        reduced_(reduce(assembled_)),
        contacts_(reduced_, block_.friction(model_)) {
    std::cout << assembled_.n_dofs() << " DoFs, " << reduced_.n_states() << " states, "
              << contacts_.n_directions() << " pads.\n";
    ClassicalStructureOptions modes;
    modes.n_modes = options_.n_modes;
    const double once = seconds_of([&] { structure_ = classical_structure(contacts_, modes); });
    const Vector& omega = structure_.modes.frequency;
    const double to_kHz = 1 / (2e3 * dealii::numbers::PI);
    std::cout << options_.n_modes << " modes from " << omega[0] * to_kHz << " to "
              << structure_.highest_frequency_kept * to_kHz << " kHz and " << omega.size() - options_.n_modes
              << " attachment modes, found once in " << once << " s; residual " << structure_.residual
              << ".\n";
  }

  Rates by_memory(int n_steps, int every) {
    std::vector<NamedLaw> laws;
    for (const Inclusion& pad : contacts_.acting())
      laws.push_back({pad.law, pad.name});
    ModalMemory method(contact_modes(structure_.modes), laws, options_.step);
    MemoryState state = method.start(0, Vector::Zero(method.modes().n_coordinates()));
    Rates rates{Vector(n_steps / every), MultiVector(n_steps / every, contacts_.n_directions())};
    rates.seconds_a_step = seconds_of([&] {
                             for (int k = 1; k <= n_steps; ++k) {
                               method.step(state);
                               if (k % every != 0) continue;
                               rates.time[k / every - 1] = state.time;
                               rates.w.row(k / every - 1) = state.w.transpose();
                             }
                           }) /
                           n_steps;
    std::cout << "Memory: " << n_steps << " steps to " << state.time << " s, " << 1e6 * rates.seconds_a_step
              << " us a step; the pads dissipated " << state.dissipated << " J.\n";
    return rates;
  }

  Rates by_full_model(int n_steps) {
    const InclusionOutcome outcome = classify_inclusions(contacts_);
    Vector q = Vector::Zero(static_cast<Eigen::Index>(assembled_.n_dofs())), v = q;
    NonsmoothState state = nonsmooth_start(contacts_, outcome, q, v);
    MoreauJean<EigenEngine> method(contacts_, outcome, options_.step);
    Rates rates{Vector(n_steps), MultiVector(n_steps, contacts_.n_directions())};
    Progress progress("full model", n_steps);
    method.step(state);
    rates.time[0] = state.time;
    rates.w.row(0) = state.w.transpose();
    rates.seconds_a_step = seconds_of([&] {
                             for (int k = 1; k < n_steps; ++k) {
                               method.step(state);
                               rates.time[k] = state.time;
                               rates.w.row(k) = state.w.transpose();
                               progress.update(k);
                             }
                           }) /
                           (n_steps - 1);
    progress.finish();
    std::cout << "Full model: " << n_steps << " steps of Moreau-Jean, " << 1e3 * rates.seconds_a_step
              << " ms a step.\n";
    return rates;
  }

 private:
  BlockModel model_;
  Options options_;
  Block block_;
  AssembledFromDealII<dealii::SparseMatrix<double>> assembled_;
  ReducedFromDealII<dealii::SparseMatrix<double>> reduced_;
  Inclusions<EigenEngine> contacts_;
  ClassicalStructure structure_;
};

void run(const Options& options) {
  Squeal squeal(options);
  const Rates memory = squeal.by_memory(options.n_full_steps, 1),
              full = squeal.by_full_model(options.n_full_steps);
  const double error = (memory.w - full.w).cwiseAbs().maxCoeff() / full.w.cwiseAbs().maxCoeff();
  const Rates whole = squeal.by_memory(options.n_steps, 10);
  std::cout << "Rates of the pads differ by " << error << " of the largest over " << options.n_full_steps
            << " steps; a step with memory costs 1/" << full.seconds_a_step / whole.seconds_a_step
            << " of one of the full model.\n";

  const auto panel = [](const std::string& title, const std::vector<Curve>& curves) {
    return CurvePanel{title, {"time [ms]"}, {"rate relative to the belt [m/s]"}, curves};
  };
  const auto last = std::min<Eigen::Index>(whole.time.size(), 1500);
  Plot plot;
  plot.title = "A block squeals on a belt";
  plot.panels = {
      panel("First steps", {{"pad 1, by memory", 1e3 * memory.time, memory.w.col(0)},
                            {"pad 1, full model", 1e3 * full.time, full.w.col(0), CurveStyle::dashed_line}}),
      panel("Last steps", {{"pad 1", 1e3 * whole.time.tail(last), whole.w.col(0).tail(last)},
                           {"pad 4", 1e3 * whole.time.tail(last), whole.w.col(3).tail(last)}})};
  const std::filesystem::path picture = options.output / "squealing-block.png";
  write_png(plot, picture);
  std::cout << "\nWritten: " << picture.string() << '\n';
  if (!(error <= options.tolerance))
    throw Error("The run with memory differs from the full model by more than " +
                std::to_string(options.tolerance) + ".");
}

}  // namespace

int main(int argc, char** argv) {
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  CLI::App app("A finite-element block squeals on a belt, by the memory of its four pads.");
  Options options;
  app.add_option("--output", options.output, "Folder for the picture")->check(CLI::ExistingDirectory);
  app.add_option("--cells", options.n_cells, "Elements over the height; 26: 1.2e5 DoFs")
      ->check(CLI::Range(4, 60))
      ->capture_default_str();
  app.add_option("--modes", options.n_modes, "Modes of the block")
      ->check(CLI::Range(1, 500))
      ->capture_default_str();
  app.add_option("--steps", options.n_steps, "Steps with memory")
      ->check(CLI::Range(100, 100000000))
      ->capture_default_str();
  app.add_option("--full-steps", options.n_full_steps, "Steps of the full model, for comparison")
      ->check(CLI::Range(10, 1000000))
      ->capture_default_str();
  app.add_option("--step", options.step, "Length of a step [s]")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  try {
    app.parse(argc, argv);
    run(options);
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
