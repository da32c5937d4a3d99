// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/plots/plot.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <CLI/CLI.hpp>

#include "pendulum.h"
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

/// Prints an error and its limit. @throws Error if the error exceeds the limit, because the example is also a
/// test
void check(const std::string& quantity, double error, double allowed) {
  std::cout << quantity << ": largest relative error " << error << ", allowed " << allowed << '\n';
  if (!(error <= allowed)) throw Error(quantity + ": the result differs from its closed form.");
}

/// Compares the frequencies of the pencil with multipliers and of the reduced system with the zeros of the
/// Laguerre polynomial.
CurvePanel compare_frequencies(const Pendulum& pendulum, const Reduced& reduced) {
  const SpectrumComparison spectra = compare_all(reduced);
  spectra.print(std::cout);
  if (!spectra.passed) throw Error("The elimination of the rods changed the spectrum.");
  std::vector<double> found;
  for (const Complex value : spectra.after.finite)
    if (value.imag() > 0) found.push_back(value.imag());
  std::sort(found.begin(), found.end());
  const Vector exact = vector_of(pendulum.frequencies()), omega = vector_of(found);
  if (omega.size() != exact.size()) throw Error("The chain does not have one frequency for each mass.");
  check("Frequencies", (omega - exact).cwiseQuotient(exact).cwiseAbs().maxCoeff(), 1e-11);
  const Vector numbers = Vector::LinSpaced(exact.size(), 1, static_cast<double>(exact.size()));
  return {"Frequencies of the chain",
          {"number of the mode [-]"},
          {"angular frequency [1/s]"},
          {{"zeros of the Laguerre polynomial", numbers, exact},
           {"reduced system", numbers, omega, CurveStyle::points}}};
}

/// Computes the motion after the lowest mass was displaced and released, while the ceiling vibrates. The
/// given initial values violate the constraints of the rods and of the ceiling, so that they are projected
/// onto the constraints.
std::vector<CurvePanel> free_motion(const Pendulum& pendulum, const Reduced& reduced) {
  const Index n = pendulum.n, n_dofs = static_cast<Index>(reduced.assembled().n_dofs());
  Vector held = Vector::Zero(n_dofs);
  held.head(2 * n) =
      pendulum.coordinates_of(Vector::LinSpaced(n, 1, n) * 0.01, Vector::LinSpaced(n, 0, 1e-3));
  ConsistentState state = consistent_state(reduced, held, Vector::Zero(n_dofs));
  std::cout << '\n' << state.report;

  std::vector<double> time, upper, lower, rod, rod_exact;
  double off_rods = 0, off_forces = 0;
  RadauIIA5(reduced, 5e-3).run(state, 4., [&](const auto& now) {
    const Vector& q = now.lift().displacement;
    const Vector x = pendulum.across(q), z = pendulum.along(q);
    time.push_back(now.time());
    upper.push_back(1e3 * x[0]);
    lower.push_back(1e3 * x[n - 1]);
    rod.push_back(q[2 * n]);
    rod_exact.push_back(pendulum.force_of_rod(0, now.time()));
    const double z_0 = pendulum.h * std::sin(pendulum.Omega * now.time());
    off_rods = std::max(off_rods, (z.array() - z_0).abs().maxCoeff() / pendulum.h);
    for (int i = 0; i < n; ++i)
      off_forces = std::max(off_forces, std::abs(q[2 * n + i] - pendulum.force_of_rod(i, now.time())));
  });
  const double largest = pendulum.n * pendulum.m * pendulum.h * pendulum.Omega * pendulum.Omega;
  check("Rods that stay as long as they are", off_rods, 1e-12);
  check("Forces of the rods", off_forces / largest, 1e-10);
  const Vector t = vector_of(time);
  return {{"Let go with the lowest mass aside",
           {"time [s]"},
           {"displacement across [mm]"},
           {{"uppermost mass", t, vector_of(upper)}, {"lowest mass", t, vector_of(lower)}}},
          {"What the uppermost rod carries while the ceiling shakes",
           {"time [s]"},
           {"force beside the weight [N]"},
           {{"closed form", t, vector_of(rod_exact)},
            {"multiplier", t, vector_of(rod), CurveStyle::dashed_line}}}};
}

/// Adds a redundant rod, and checks that the library finds it and that the number of states does not change.
void check_redundant_rod(const Pendulum& pendulum) {
  const Reduced reduced = reduce(pendulum.assemble(true));
  std::cout << "\nWith one rod too many:\n";
  for (const RedundantConstraints& redundant : reduced.constraints().redundant)
    std::cout << "  " << redundant.text << '\n';
  if (reduced.constraints().redundant.size() != 1 || reduced.n_states() != 2 * pendulum.n)
    throw Error("The redundant rod was not found.");
}

void run(const std::filesystem::path& output) {
  const Pendulum pendulum;
  const Reduced reduced = reduce(pendulum.assemble(false));
  reduced.print_summary(std::cout);
  std::cout << "\nEigenvalues before (pencil with multipliers) and after:\n";

  Plot plot;
  plot.title = "A chain of masses on rigid rods";
  plot.width = 760;
  plot.panels.push_back(compare_frequencies(pendulum, reduced));
  for (CurvePanel& panel : free_motion(pendulum, reduced))
    plot.panels.push_back(std::move(panel));
  check_redundant_rod(pendulum);
  const std::filesystem::path picture = output / "rigid-link.png";
  write_png(plot, picture);
  std::cout << "\nWritten: " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Masses on rigid rods: constraints beside the matrices, eliminated exactly.");
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
