// What one step with inclusions costs, in pairs of triangular solves with the same step matrix, timed in
// turn, and beside a step of the linear trapezoidal rule.
#include <halfdof/inclusions/dry_friction.h>
#include <halfdof/inclusions/unilateral_contact.h>
#include <halfdof/integrators/moreau_jean.h>
#include <halfdof/integrators/nonsmooth_alpha.h>
#include <halfdof/integrators/nonsmooth_euler.h>
#include <halfdof/integrators/nonsmooth_start.h>
#include <halfdof/integrators/trapezoidal.h>

#include "piezoelectric_plate.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>

using namespace halfdof;

namespace {

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double quartile(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4), times.end());
  return times[times.size() / 4];
}

/// The first quartile, which other processes disturb least.
void report(const ReducedSystem<EigenEngine>& reduced, const std::string& name, double sigma,
            const std::function<void()>& step) {
  const auto step_matrix = reduced.factorize_pencil(sigma * sigma, sigma, 1.);
  const Vector b = Vector::Random(reduced.free().dofs().n_local());
  step();  // factorizes
  std::vector<double> solves, steps;
  for (int k = 0; k < 200; ++k) {
    solves.push_back(seconds([&]() { step_matrix->solve(b); }));
    steps.push_back(seconds(step));
  }
  std::cout << name << ": a step takes " << 1e3 * quartile(steps) << " ms, a pair of triangular solves "
            << 1e3 * quartile(solves) << " ms, ratio " << quartile(steps) / quartile(solves) << '\n';
}

/// Contacts and pads in turn along the free edge, one a node.
std::vector<Inclusion> along_the_edge(int n_cells, int n_inclusions) {
  std::vector<Inclusion> all;
  for (int i = 0; i < n_inclusions; ++i) {
    const int y = (i * (n_cells + 1)) / n_inclusions, node = y * (n_cells + 1) + n_cells;
    const std::string name = "node " + std::to_string(node);
    if (i % 2 == 0)
      all.push_back(
          inclusion(name, std::make_shared<UnilateralContact>(0., 0.), Direction({{3 * node, -1.}})));
    else
      all.push_back(
          inclusion(name, std::make_shared<DryFriction>(-0.01, 0.01), Direction({{3 * node + 1, 1.}})));
  }
  return all;
}

template <class Method>
void report(const Inclusions<EigenEngine>& inclusions, const InclusionOutcome& outcome, double h,
            double sigma) {
  const auto n = static_cast<Index>(inclusions.reduced().assembled().n_dofs());
  NonsmoothState state = nonsmooth_start(inclusions, outcome, Vector::Zero(n), Vector::Zero(n));
  Method method(inclusions, outcome, h);
  report(inclusions.reduced(), method.name(), sigma, [&] { method.step(state); });
}

}  // namespace

int main(int argc, char** argv) {
  const int n_cells = argc > 1 ? std::atoi(argv[1]) : 61;
  const int n_inclusions = argc > 2 ? std::atoi(argv[2]) : 10;
  const double h = 1e-2;
  const auto reduced = reduce(benchmark::PiezoelectricPlate(n_cells).assemble());
  const Inclusions<EigenEngine> inclusions(reduced, along_the_edge(n_cells, n_inclusions));
  const InclusionOutcome outcome = what_becomes(inclusions);
  const auto of_step = reduced.factorize_pencil(4 / (h * h), 2 / h, 1.)->report();
  std::cout << of_step.n_rows << " rows, " << of_step.n_factor_entries << " entries in the factors, "
            << n_inclusions << " inclusions\n";

  State state{0., Vector::Zero(reduced.n_local_states())};
  Trapezoidal<EigenEngine> linear(reduced, h);
  report(reduced, linear.name(), 2 / h, [&] { linear.step(state); });
  report<NonsmoothEuler<EigenEngine>>(inclusions, outcome, h, 1 / h);
  report<MoreauJean<EigenEngine>>(inclusions, outcome, h, 2 / h);
  report<NonsmoothAlpha<EigenEngine>>(inclusions, outcome, h, 2.2 * 1.8 / (2 * h));
}
