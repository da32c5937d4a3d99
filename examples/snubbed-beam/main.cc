// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/dealii/reduced.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/plots/plot.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/spectrum/frequency_response.h>

#include <CLI/CLI.hpp>

#include "beam.h"
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

using SparseMatrix = dealii::SparseMatrix<double>;
using Reduced = ReducedSystem<EigenEngine>;

const double pi = std::acos(-1.);

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

/// Prints an error and its limit. @throws Error if the error exceeds the limit, because the example is also a
/// test
void check(const std::string& quantity, double error, double allowed) {
  std::cout << quantity << ": largest relative error " << error << ", allowed " << allowed << '\n';
  if (!(error <= allowed)) throw Error(quantity + ": the result differs from its reference.");
}

/// Assembles the beam with a force on its tip, with or without the snubber.
AssembledFromDealII<SparseMatrix> assemble(const Beam& beam, double force, const Snubber* snubber) {
  dealii::Vector<double> load(beam.dof_handler.n_dofs());
  load(beam.tip()) = force;
  DealIIOptions<SparseMatrix> options;
  if (snubber != nullptr)
    options.attachments = snubber->elements(static_cast<GlobalIndex>(beam.tip()),
                                            static_cast<GlobalIndex>(beam.dof_handler.n_dofs()));
  options.component_names = {"x", "y"};
  return assembled_from_dealii(beam.mass, beam.damping, beam.stiffness, beam.constraints, {load},
                               beam.dof_handler, options);
}

State at_rest(const Reduced& reduced) {
  return equilibrium(reduced, State{0, Vector::Zero(reduced.n_local_states())});
}

/// Compares equilibria and small motions about equilibria with reference values, which are computed from the
/// response of the beam alone and the dynamic stiffness of the snubber.
CurvePanel small_motions(const Beam& beam, const Snubber& snubber) {
  const auto tip = static_cast<GlobalIndex>(beam.tip()),
             node = static_cast<GlobalIndex>(beam.dof_handler.n_dofs());
  std::vector<double> frequencies;
  for (int i = 0; i <= 120; ++i)
    frequencies.push_back(1 + 0.25 * i);
  const Reduced alone = reduce(assemble(beam, 1., nullptr));
  const double flexibility = alone.lift(at_rest(alone)).displacement[tip];
  const FrequencyResponse of_beam = frequency_response(alone, frequencies, {tip}, displacements({tip}));

  CurvePanel panel{"Tip per force about rests: joined by hand (lines), reduced system (points)",
                   {"frequency [Hz]"},
                   {"|H| [m/N]", AxisScale::logarithmic}};
  TextTable table({"force [N]", "tip [mm]", "node [mm]", "snubber [N/m]"});
  double of_rest = 0, of_response = 0;
  for (const double force : {0., 1., 5.}) {
    const Reduced reduced = reduce(assemble(beam, force, &snubber));
    const State rest = at_rest(reduced);
    const Vector q = reduced.lift(rest).displacement;
    const double u = q[tip], y = snubber.rest(u);
    const double expected = flexibility * (force - snubber.k_t * (u - y));
    if (force > 0)
      of_rest =
          std::max({of_rest, std::abs(u - expected) / std::abs(u), std::abs(q[node] - y) / std::abs(y)});
    table.add_row({force, 1e3 * u, 1e3 * q[node], std::abs(snubber.dynamic_stiffness(0, y))});

    const FrequencyResponse found =
        frequency_response(reduced.about(rest), frequencies, {tip}, displacements({tip}));
    Vector by_hand(frequencies.size()), by_halfdof(frequencies.size());
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const Complex H = of_beam.after[i](0, 0);
      const Complex joined = H / (1. + H * snubber.dynamic_stiffness(2 * pi * frequencies[i], y));
      of_response = std::max(of_response, std::abs(found.after[i](0, 0) - joined) / std::abs(joined));
      by_hand[static_cast<Index>(i)] = std::abs(joined);
      by_halfdof[static_cast<Index>(i)] = std::abs(found.after[i](0, 0));
    }
    const std::string name = "under " + std::to_string(std::lround(force)) + " N";
    panel.curves.push_back({name, vector_of(frequencies), by_hand});
    panel.curves.push_back({name + ", reduced", vector_of(frequencies), by_halfdof, CurveStyle::points});
  }
  std::cout << "\nRests of the tip under a force, and the stiffness of the snubber there:\n" << table;
  check("Rests", of_rest, 1e-7);
  check("Responses about rests", of_response, 1e-6);
  return panel;
}

/// Computes the motion after the tip was held by a force and released. Checks that the energy does not
/// increase in any step.
CurvePanel free_motion(const Beam& beam, const Snubber& snubber) {
  const auto tip = static_cast<GlobalIndex>(beam.tip()),
             node = static_cast<GlobalIndex>(beam.dof_handler.n_dofs());
  CurvePanel panel{
      "Let go: the harder the pull, the faster the beam", {"time [s]"}, {"tip, relative to its start [-]"}};
  const Reduced reduced = reduce(assemble(beam, 0., &snubber));
  double largest_gain = 0;
  for (const double force : {0.2, 5.}) {
    const Reduced pulled = reduce(assemble(beam, force, &snubber));
    State state = at_rest(pulled);
    std::vector<double> times, tips;
    double before = 0, begin = 0;
    RadauIIA5<EigenEngine>(reduced, 4e-3).run(state, 0.8, [&](const auto& now) {
      const AssembledMotion& motion = now.lift();
      const auto product = [&](const EigenMatrix& A, const Vector& x) {
        Vector y = Vector::Zero(x.size());
        A.add_product(1., x, y);
        return x.dot(y);
      };
      const double y = motion.displacement[node];
      const double energy = 0.5 * product(pulled.assembled().M(), motion.rate) +
                            0.5 * product(pulled.assembled().K(), motion.displacement) +
                            0.25 * snubber.k_3 * y * y * y * y;
      if (times.empty()) begin = before = energy;
      largest_gain = std::max(largest_gain, (energy - before) / begin);
      before = energy;
      times.push_back(now.time());
      tips.push_back(motion.displacement[tip]);
    });
    std::ostringstream label;
    label << "from " << force << " N";
    panel.curves.push_back({label.str(), vector_of(times), vector_of(tips) / tips.front()});
  }
  check("Energy gained in a step", largest_gain, 1e-6);
  return panel;
}

void run(const std::filesystem::path& output) {
  const Beam beam{Material()};
  const Snubber snubber;
  reduce(assemble(beam, 0., &snubber)).print_summary(std::cout);
  Plot plot;
  plot.title = "Cantilever on a hardening snubber";
  plot.width = 760;
  plot.panels.push_back(small_motions(beam, snubber));
  plot.panels.push_back(free_motion(beam, snubber));
  const std::filesystem::path picture = output / "snubbed-beam.png";
  write_png(plot, picture);
  std::cout << "\nWritten: " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A cantilever on a snubber without mass that hardens and whose damper is quadratic.");
  std::filesystem::path output = ".";
  app.add_option("--output", output, "Folder for the picture")->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
    run(output);
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
