// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
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
#include <memory>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

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

Vector displacement(const Reduced& reduced, const State& state) {
  return reduced.lift(state).displacement;
}

/// Integrates the motion and returns the displacements, one row for each output time.
MultiVector motion(Integrator<EigenEngine>& integrator, State state, const Vector& times) {
  MultiVector q(times.size(), 4);
  Index row = 0;
  integrator.run(state, std::vector<double>(times.data(), times.data() + times.size()),
                 [&](const auto& now) { q.row(row++) = now.lift().displacement; });
  return q;
}

double error_of(const MultiVector& q, const MultiVector& reference) {
  return (q - reference).cwiseAbs().maxCoeff() / reference.cwiseAbs().maxCoeff();
}

/// An integrator and the step sizes with which it is tested.
struct Method {
  std::string name;
  std::vector<double> steps;
  std::unique_ptr<Integrator<EigenEngine>> (*make)(const Reduced&, double);
};

template <class Integrator_>
std::unique_ptr<Integrator<EigenEngine>> make(const Reduced& reduced, double step) {
  return std::make_unique<Integrator_>(reduced, step);
}

std::vector<Method> methods() {
  return {{"implicit Euler", {4e-3, 2e-3, 1e-3}, make<ImplicitEuler<EigenEngine>>},
          {"trapezoidal rule", {4e-3, 2e-3, 1e-3}, make<Trapezoidal<EigenEngine>>},
          {"generalized-alpha", {4e-3, 2e-3, 1e-3}, make<GeneralizedAlpha<EigenEngine>>},
          {"explicit Runge-Kutta", {4e-3, 2e-3, 1e-3}, make<ExplicitRungeKutta<EigenEngine>>},
          {"Radau IIA of order 5", {4e-3, 2e-3, 1e-3}, make<RadauIIA5<EigenEngine>>}};
}

/// Computes the motion of the engine, which is at rest under its weight until its unbalance excites it.
/// Compares the integrators with a solution of the unreduced equations by IDA.
std::vector<CurvePanel> unbalance_motion(const HardeningMount& mount) {
  const Reduced reduced = reduce(mount.assemble());
  const State rest = equilibrium(reduced, State{0, Vector::Zero(reduced.n_local_states())});
  const Vector q_0 = displacement(reduced, rest), times = Vector::LinSpaced(501, 0, 2);
  std::cout << "\nAt rest under the weight (y, y_1, y_2, y_3) = " << 1e3 * q_0.transpose() << " mm\n";
  const Vector residual = mount.forces(q_0, Vector::Zero(4)) + mount.weight * Vector::Unit(4, 0);
  check("Forces at rest", residual.norm() / mount.weight, 1e-9);

  const MultiVector reference = unreduced_motion(mount, q_0, times);
  std::cout << "\nErrors of displacements until t = 2 s, relative to IDA on the unreduced equations:\n";
  TextTable table({"method", "h = 4 ms", "2 ms", "1 ms"});
  CurvePanel errors{"Errors beside IDA on the unreduced equations",
                    {"step h [s]", AxisScale::logarithmic},
                    {"relative error [-]", AxisScale::logarithmic}};
  MultiVector finest;
  for (const Method& method : methods()) {
    std::vector<double> found;
    std::vector<std::string> row = {method.name};
    for (const double step : method.steps) {
      finest = motion(*method.make(reduced, step), rest, times);
      found.push_back(error_of(finest, reference));
      char text[16];
      std::snprintf(text, sizeof text, "%.1e", found.back());
      row.emplace_back(text);
    }
    table.add_row({row[0], row[1], row[2], row[3]});
    errors.curves.push_back(
        {method.name, vector_of(method.steps), vector_of(found), CurveStyle::line_with_points});
  }
  std::cout << table;
  DormandPrinceOptions options;
  options.relative_tolerance = options.absolute_tolerance = 1e-12;
  DormandPrince<EigenEngine> adaptive(reduced, options);
  check("Motion by steps that control their error", error_of(motion(adaptive, rest, times), reference), 1e-8);

  CurvePanel panel{
      "Shaken by the unbalance: Radau IIA (lines) and IDA (dashed)", {"time [s]"}, {"displacement [mm]"}};
  const char* const names[] = {"mass y", "rubber node y_1", "oil node y_2", "stop node y_3"};
  for (Index j = 0; j < 4; ++j)
    panel.curves.push_back({names[j], times, 1e3 * finest.col(j)});
  panel.curves.push_back({"IDA", times, 1e3 * reference.col(0), CurveStyle::dashed_line});
  return {panel, errors};
}

/// Compares the dynamic stiffness for small motions about equilibria under different loads with its closed
/// form.
CurvePanel stiffness_over_preload(const HardeningMount& mount) {
  std::vector<double> frequencies;
  for (int i = 0; i <= 40; ++i)
    frequencies.push_back(0.1 * std::pow(10., i / 20.));
  CurvePanel panel{"Dynamic stiffness about rests: closed form (lines), reduced system (points)",
                   {"frequency [Hz]", AxisScale::logarithmic},
                   {"|K| [kN/m]"}};
  double largest = 0;
  std::cout << "\nSmall motions about rests:\n";
  TextTable table({"load [N]", "y [mm]", "y_3 [mm]", "frequency [Hz]", "damping ratio"});
  for (const double constant : {0., -mount.weight, -3 * mount.weight}) {
    const Reduced reduced = reduce(mount.assemble_under(constant));
    const State rest = equilibrium(reduced, State{0, Vector::Zero(reduced.n_local_states())});
    const Reduced there = reduced.about(rest);
    const Vector q = displacement(reduced, rest);
    const SpectrumComparison spectra = compare_all(there);
    if (!spectra.passed) throw Error("The elimination changed the spectrum of the mount.");
    Complex lambda = 0;
    for (const Complex value : spectra.after.finite)
      if (value.imag() > lambda.imag()) lambda = value;
    table.add_row(
        {constant, 1e3 * q[0], 1e3 * q[3], std::abs(lambda) / (2 * pi), -lambda.real() / std::abs(lambda)});

    const auto response = frequency_response(there, frequencies, {0}, displacements({0}));
    Vector found(frequencies.size()), by_hand(frequencies.size());
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const double omega = 2 * pi * frequencies[i];
      const Complex k = 1. / response.after[i](0, 0) + mount.m * omega * omega,
                    exact = mount.dynamic_stiffness(omega, q[3]);
      largest = std::max(largest, std::abs(k - exact) / std::abs(exact));
      found[static_cast<Index>(i)] = 1e-3 * std::abs(k);
      by_hand[static_cast<Index>(i)] = 1e-3 * std::abs(exact);
    }
    const std::string name = "under " + std::to_string(std::lround(-constant)) + " N";
    panel.curves.push_back({name, vector_of(frequencies), by_hand});
    panel.curves.push_back({name + ", reduced", vector_of(frequencies), found, CurveStyle::points});
  }
  std::cout << table;
  check("Dynamic stiffness about rests", largest, 1e-9);
  return panel;
}

void run(const std::filesystem::path& output) {
  const HardeningMount mount;
  reduce(mount.assemble()).print_summary(std::cout);
  Plot plot;
  plot.title = "Engine mount with a hardening stop and an orifice";
  plot.width = 760;
  for (CurvePanel& panel : unbalance_motion(mount))
    plot.panels.push_back(std::move(panel));
  plot.panels.push_back(stiffness_over_preload(mount));
  const std::filesystem::path picture = output / "hardening-mount.png";
  write_png(plot, picture);
  std::cout << "\nWritten: " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("An engine mount with a hardening stop and a quadratic oil damper, at nodes without mass.");
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
