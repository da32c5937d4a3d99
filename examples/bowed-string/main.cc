// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory kernels of strings and beams, and stick-slip under a bow, see examples/bowed-string/README.md.
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/memory_equation.h>
#include <halfdof/plots/plot.h>

#include <CLI/CLI.hpp>

#include "bowing.h"
#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace halfdof;
using namespace bowing;

namespace {

const double pi = std::acos(-1.);
constexpr double place = 0.4, damping = 0.1;

/// Prints a value and checks its upper bound. @throws Error if the value exceeds `largest`
void check(const std::string& what, double value, double largest) {
  std::cout << "  " << what << ": " << value << '\n';
  if (!(value <= largest)) throw Error(what + " is above " + std::to_string(largest) + ".");
}

Vector values(const Vector& x, const std::function<double(double)>& f) {
  Vector y(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i)
    y[i] = f(x[i]);
  return y;
}

CurvePanel kernels_of_strings() {
  std::cout << "Kernel of the string at " << place << " (c = 1):\n";
  CurvePanel panel{"Memory of a string", {"time since the force changed [-]"}, {"L^1 [-]"}};
  const Vector tau = Vector::LinSpaced(2001, 0, 4);
  for (const double D : {0., damping}) {
    const StringKernel string(1, place, D);
    const std::string name = "D = " + std::string(D == 0 ? "0" : "0.1");
    check("right limit for " + name + " beside arccos(D)/(pi sqrt(1 - D^2))",
          std::abs(string.L_1(0) - std::acos(D) / (pi * std::sqrt(1 - D * D))), 1e-14);
    panel.curves.push_back({name, tau, values(tau, [&](double t) { return string.L_1(t); })});
  }
  const MemoryEquation modes(contact_modes(string_modes(1, {place}, damping, 40)), {0});
  panel.curves.push_back({"D = 0.1, 40 modes", tau, values(tau, [&](double t) { return modes.L_1(t)(1, 0); }),
                          CurveStyle::dashed_line});
  const StringKernel undamped(1, place, 0);
  double off = 0;
  for (const double t : {0.13, 0.77, 1.21})
    off = std::max(off, std::abs(undamped.L_1(t) - undamped.L_1(t + 2)));
  check("period 2/c without damping, off by", off, 1e-12);
  std::cout << "  " << contact_regularity_of_continuum(string_modes(1, {place}, damping, 1000))[0] << '\n';
  return panel;
}

/// Compares the motion by memory, by the full model and by the closed kernel over a longer time, and returns
/// panels of rate and force.
std::vector<CurvePanel> under_the_bow(double end) {
  std::cout << "\nBowed string:\n";
  const ClassicalModes modes = string_modes(1, {place}, damping, 160);
  const Track memory = by_modes(modes, 1e-3, end), full = by_full_model(modes, 1e-4, end),
              closed = by_closed_kernel(StringKernel(1, place, damping), 1e-3, end);
  double off = 0;
  for (Eigen::Index i = 0; i < memory.time.size(); ++i)
    off = std::max(off, std::abs(memory.displacement[i] - full.displacement[10 * i]));
  check("160 modes by memory (steps 1e-3) beside the full model (steps 1e-4), displacement", off, 2e-3);
  // The reference value was extrapolated from event-driven runs with 320, 640 and 1280 modes.
  check("all modes by the closed kernel beside the limit of exact runs, displacement at 5",
        std::abs(closed.displacement[5000] - 1.0692429696564332), 5e-5);
  return {{"Bowed string: rate of the contact",
           {"time [-]"},
           {"rate [-]"},
           {{"160 modes, by memory", memory.time, memory.rate},
            {"160 modes, full model", full.time, full.rate, CurveStyle::dashed_line}}},
          {"Bowed string: friction",
           {"time [-]"},
           {"force [-]"},
           {{"160 modes", memory.time, memory.force},
            {"all modes, closed kernel", closed.time, closed.force, CurveStyle::dashed_line}}}};
}

CurvePanel gaps() {
  std::cout << "\nJump of the force where slip ends, first three times:\n  modes  gaps\n";
  const std::vector<int> counts = {10, 20, 40, 80, 160, 320, 640};
  Vector n(static_cast<Eigen::Index>(counts.size())), first(n.size()), second(n.size()), third(n.size());
  for (Eigen::Index i = 0; i < n.size(); ++i) {
    const int N = counts[static_cast<std::size_t>(i)];
    // The step size is 0.02 / N at most, because the highest mode has the frequency N pi.
    const std::vector<Onset> found =
        onsets(string_modes(1, {place}, damping, N), std::min(2e-4, 0.02 / N), 2.3);
    if (found.size() < 3) throw Error("The string does not stick three times.");
    n[i] = N;
    first[i] = found[0].gap;
    second[i] = found[1].gap;
    third[i] = found[2].gap;
    std::cout << std::setw(7) << N << "  " << first[i] << "  " << second[i] << "  " << third[i] << '\n';
  }
  const Eigen::Index last = n.size() - 1;
  check("ratio of the first gap for 640 and 320 modes, beside 1/2",
        std::abs(first[last] / first[last - 1] - 0.5), 0.02);
  // An event-driven run with events located to 1e-12 gives 0.334826 for 160 modes.
  check("first gap for 160 modes beside exact events", std::abs(first[4] - 0.334826), 0.01);
  return {"Where slip ends the force jumps less with more modes",
          {"modes [-]", AxisScale::logarithmic},
          {"jump [-]", AxisScale::logarithmic},
          {{"first", n, first, CurveStyle::line_with_points},
           {"second", n, second, CurveStyle::line_with_points},
           {"third", n, third, CurveStyle::line_with_points},
           {"1/N", n, 40 * n.cwiseInverse(), CurveStyle::dashed_line}}};
}

std::vector<CurvePanel> cantilever(double end) {
  std::cout << "\nCantilever:\n";
  const ClassicalModes many = cantilever_modes(damping, 2000);
  const MemoryEquation equation(contact_modes(many), {0});
  const ContactRegularity regularity = contact_regularity_of_continuum(many)[0];
  std::cout << "  " << regularity << '\n';
  const double expected =
      4 / std::sqrt(pi) * std::sin(std::acos(damping) / 2) / std::sqrt(1 - damping * damping);
  check("factor of the root beside its closed form", std::abs(regularity.L_1_plus - expected), 1e-5);
  Vector tau(60);
  for (Eigen::Index i = 0; i < tau.size(); ++i)
    tau[i] = std::pow(10., -5 + 5. * static_cast<double>(i) / static_cast<double>(tau.size() - 1));
  const Track track = by_modes(cantilever_modes(damping, 200), 1e-3, end);
  return {{"Memory of a cantilever",
           {"time since the force changed [-]", AxisScale::logarithmic},
           {"|L^1| [-]", AxisScale::logarithmic},
           {{"2000 modes", tau, values(tau, [&](double t) { return std::abs(equation.L_1(t)(1, 0)); })},
            {"root", tau, values(tau, [&](double t) { return regularity.L_1_plus * std::sqrt(t); }),
             CurveStyle::dashed_line}}},
          {"Bowed cantilever, 200 modes",
           {"time [-]"},
           {"rate and force [-]"},
           {{"rate of the tip", track.time, track.rate}, {"friction", track.time, track.force}}}};
}

void run(const std::filesystem::path& output, double end) {
  Plot plot;
  plot.title = "Strings and beams under a bow, by the memory of their contact";
  plot.n_columns = 2;
  plot.width = 1400;
  plot.panels.push_back(kernels_of_strings());
  plot.panels.push_back(gaps());
  for (CurvePanel& panel : under_the_bow(end))
    plot.panels.push_back(std::move(panel));
  for (CurvePanel& panel : cantilever(std::min(end, 10.)))
    plot.panels.push_back(std::move(panel));
  const std::filesystem::path picture = output / "bowed-string.png";
  write_png(plot, picture);
  std::cout << "\nWritten: " << picture.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Stick-slip of strings and beams under a bow, by the memory of their contact point.");
  std::filesystem::path output = ".";
  double end = 20;
  app.add_option("--output", output, "Folder for the picture")->check(CLI::ExistingDirectory);
  app.add_option("--end", end, "Time at which runs end")->check(CLI::Range(5., 1000.))->capture_default_str();
  try {
    app.parse(argc, argv);
    run(output, end);
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
