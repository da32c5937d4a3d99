// SPDX-License-Identifier: LGPL-2.1-or-later
// What one step of an integrator costs, in pairs of triangular solves, timed in the same run: with the
// factors of the step matrix, and by CHOLMOD with those of a definite matrix of the same pattern. Steps of
// one stage are meant to take at most 1.10 of them. Usage: benchmark_linear_step [cells]
#include <halfdof/assembled/free_system.h>
#include <halfdof/integrators/smooth/implicit_methods.h>

#include "definite_matrix.h"
#include "piezoelectric_body.h"
#include "raw_cholmod.h"
#include "report.h"
#include "timing.h"
#include <cstdlib>
#include <iostream>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::quartile;
using benchmark::seconds;

namespace {

constexpr double most_pairs = 1.1;

/// @param table Null for methods of several stages
void report(const ReducedSystem<EigenEngine>& reduced, Integrator<EigenEngine>&& integrator, double sigma,
            benchmark::RawCholmod& cholmod, benchmark::Report* table) {
  const auto step_matrix = reduced.factorize_pencil(sigma * sigma, sigma, 1.);
  const Vector b = Vector::Random(reduced.free().dofs().n_local());
  MultiVector right = b;
  State state{0., Vector::Zero(reduced.n_local_states())};
  integrator.step(state);  // factorizes
  std::vector<double> solves, by_cholmod, steps;
  for (int k = 0; k < 200; ++k) {
    solves.push_back(seconds([&]() { step_matrix->solve(b); }));
    by_cholmod.push_back(seconds([&]() { cholmod.solve(right); }));
    steps.push_back(seconds([&]() { integrator.step(state); }));
  }
  std::cout << integrator.name() << ": a step takes " << 1e3 * quartile(steps)
            << " ms, a pair of triangular solves " << 1e3 * quartile(solves) << " ms, ratio "
            << quartile(steps) / quartile(solves) << '\n';
  if (!table) return;
  const std::string model = integrator.name() + ", " + std::to_string(b.size()) + " free DoFs";
  table->add({"a linear step", model, "a pair of triangular solves by CHOLMOD, definite", quartile(steps),
              quartile(by_cholmod), 1 / most_pairs});
  table->add({"a linear step", model, "a pair of ours", quartile(steps), quartile(solves), 1 / most_pairs});
}

}  // namespace

int main(int argc, char** argv) {
  const int n_cells = argc > 1 ? std::atoi(argv[1]) : 61;
  const double h = 1e-2;
  const auto reduced = reduce(benchmark::PiezoelectricBody<2>(n_cells).assemble());
  reduced.print_summary(std::cout);
  const auto report_of = reduced.factorize_pencil(4 / (h * h), 2 / h, 1.)->report();
  std::cout << "step matrix: " << report_of.n_rows << " rows, " << report_of.n_factor_entries
            << " entries in the factors of " << name_of(report_of.solver) << " (" << report_of.reason
            << ")\n\n";
  const EigenMatrix definite = benchmark::definite_of_same_pattern(reduced.free().K());
  benchmark::RawCholmod cholmod(definite.entries());
  cholmod.factorize();
  benchmark::Report table;
  report(reduced, GeneralizedAlpha(reduced, h), 2.2 * 1.8 / (2 * h), cholmod, &table);
  report(reduced, GeneralizedAlpha(reduced, h, {1.}), 2 / h, cholmod, &table);
  report(reduced, Trapezoidal(reduced, h), 2 / h, cholmod, &table);
  report(reduced, ImplicitEuler(reduced, h), 1 / h, cholmod, &table);
  report(reduced, RadauIIA5(reduced, h), 3.6378 / h, cholmod, nullptr);
}
