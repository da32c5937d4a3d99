// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/plots/plot.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/frequency_response.h>

#include <CLI/CLI.hpp>

#include "mount.h"
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

const double pi = std::acos(-1.);

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

void print(const char* name, const MultiVector& A) {
  static const Eigen::IOFormat rows(6, 0, "  ", "\n", "    ", "");
  std::cout << name << " =\n" << A.format(rows) << '\n';
}

/// Prints an error and its limit. @throws Error if the error exceeds the limit, because the example is also a
/// test
void check(const std::string& quantity, double error, double allowed) {
  std::cout << quantity << ": largest relative error " << error << ", allowed " << allowed << '\n';
  if (!(error <= allowed)) throw Error(quantity + ": the result differs from its closed form.");
}

/// Compares the eigenvalues of the assembled pencil, the eigenvalues of A, and the roots of the
/// characteristic polynomial.
void compare_eigenvalues(const ReducedSystem<EigenEngine>& reduced) {
  const SpectrumComparison spectra = compare_all(reduced);
  spectra.print(std::cout);
  if (!spectra.passed || spectra.before.n_infinite != 2)
    throw Error("The elimination changed the spectrum of the mount.");
  check("Eigenvalues of A",
        match_eigenvalues(eigenvalues_of_the_mount(), spectra.after.finite).max_relative_difference, 1e-11);
}

/// Computes the motion after the mass was held 10 mm up until the mount was at rest, and then released. The
/// reduced system has the explicit form y' = A y + B F, so that the classical Runge-Kutta method is
/// applicable.
CurvePanel free_motion(const ReducedSystem<EigenEngine>& reduced) {
  Vector held(3);
  held << 10, 0, 5;  // [mm]: K_rs is unloaded, and K_v and K_s have equal elongations
  State state = consistent_state(reduced, held, Vector::Zero(3));

  std::vector<double> time, y, y_1, y_2;
  ExplicitRungeKutta(reduced, 5e-3).run(state, 2., [&](const auto& now) {
    time.push_back(now.time());
    const Vector& q = now.lift().displacement;
    y.push_back(q[0]);
    y_1.push_back(q[1]);
    y_2.push_back(q[2]);
  });
  const Vector t = vector_of(time);
  return {"Let go from 10 mm: Runge-Kutta on the reduced system",
          {"time [s]"},
          {"displacement [mm]"},
          {{"mass y", t, vector_of(y)},
           {"rubber node y_1", t, vector_of(y_1)},
           {"oil node y_2", t, vector_of(y_2)}}};
}

/// Computes the dynamic stiffness of the mount without the mass from the receptance H of the mass, 1/H + m
/// omega^2, and the loss factor, which is the ratio of its imaginary and real part.
std::vector<CurvePanel> stiffness_over_frequency(const ReducedSystem<EigenEngine>& reduced,
                                                 const Mount& mount) {
  std::vector<double> frequencies;
  for (int i = 0; i <= 40; ++i)
    frequencies.push_back(0.01 * std::pow(10., i / 10.));
  const GlobalIndex y = 0;
  const auto response = frequency_response(reduced, frequencies, {y}, displacements({y}));

  ComplexVector found(frequencies.size()), by_hand(frequencies.size());
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double omega = 2 * pi * frequencies[i];
    const auto at = static_cast<Index>(i);
    found[at] = 1. / response.after[i](0, 0) + mount.m * omega * omega;
    by_hand[at] = mount.dynamic_stiffness(omega);
  }
  check("Dynamic stiffness", ((found - by_hand).array() / by_hand.array()).abs().maxCoeff(), 1e-10);

  const Vector f = vector_of(frequencies);
  const Axis frequency{"frequency [Hz]", AxisScale::logarithmic};
  const auto loss_factor = [](const ComplexVector& k) { return Vector(k.imag().cwiseQuotient(k.real())); };
  return {{"Dynamic stiffness of the mount",
           frequency,
           {"|K| [kN/m]"},
           {{"closed form", f, by_hand.cwiseAbs() / 1e3},
            {"reduced system", f, found.cwiseAbs() / 1e3, CurveStyle::points}}},
          {"Loss factor of the mount",
           frequency,
           {"Im K / Re K [-]"},
           {{"closed form", f, loss_factor(by_hand)},
            {"reduced system", f, loss_factor(found), CurveStyle::points}}}};
}

void run(const std::filesystem::path& output) {
  const Mount mount;
  const auto reduced = reduce(assemble(mount.M(), mount.C(), mount.K()));
  reduced.print_summary(std::cout);

  std::cout << "\nThe matrices of the state-space form, y = (y, y_1, y_2, y'):\n";
  print("alpha", dense_inverse_rows(reduced, DoFKind::viscous));
  print("gamma", dense_inverse_rows(reduced, DoFKind::inertial));
  print("A", dense_state_matrix(reduced));
  print("B", dense_input_matrix(reduced));

  std::cout << "\nEigenvalues before (assembled pencil) and after (A):\n";
  compare_eigenvalues(reduced);

  std::cout << "\nWhat else one could do with the two nodes without mass:\n";
  compare_alternatives(mount);

  std::cout << '\n';
  Plot plot;
  plot.title = "Hydroelastic engine mount";
  plot.width = 760;
  plot.panels.push_back(free_motion(reduced));
  for (CurvePanel& panel : stiffness_over_frequency(reduced, mount))
    plot.panels.push_back(std::move(panel));
  const std::filesystem::path picture = output / "engine-mount.png";
  write_png(plot, picture);
  std::cout << "Written: " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The engine mount of Simionatto et al.: two nodes without mass, eliminated exactly.");
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
