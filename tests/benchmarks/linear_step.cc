// What one step of an integrator costs, in pairs of triangular solves with the same step matrix, timed in the
// same run.
#include <halfdof/integrators/generalized_alpha.h>
#include <halfdof/integrators/implicit_euler.h>
#include <halfdof/integrators/radau_iia5.h>
#include <halfdof/integrators/trapezoidal.h>

#include "piezoelectric_body.h"
#include "timing.h"
#include <cstdlib>
#include <iostream>

using namespace halfdof;
using benchmark::quartile;
using benchmark::seconds;

namespace {

void report(const ReducedSystem<EigenEngine>& reduced, Integrator<EigenEngine>&& integrator, double sigma) {
  const auto step_matrix = reduced.factorize_pencil(sigma * sigma, sigma, 1.);
  const Vector b = Vector::Random(reduced.free().dofs().n_local());
  State state{0., Vector::Zero(reduced.n_local_states())};
  integrator.step(state);  // factorizes
  std::vector<double> solves, steps;
  for (int k = 0; k < 200; ++k) {
    solves.push_back(seconds([&]() { step_matrix->solve(b); }));
    steps.push_back(seconds([&]() { integrator.step(state); }));
  }
  std::cout << integrator.name() << ": a step takes " << 1e3 * quartile(steps)
            << " ms, a pair of triangular solves " << 1e3 * quartile(solves) << " ms, ratio "
            << quartile(steps) / quartile(solves) << '\n';
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
  report(reduced, GeneralizedAlpha(reduced, h), 2.2 * 1.8 / (2 * h));
  report(reduced, GeneralizedAlpha(reduced, h, {1.}), 2 / h);
  report(reduced, Trapezoidal(reduced, h), 2 / h);
  report(reduced, ImplicitEuler(reduced, h), 1 / h);
  report(reduced, RadauIIA5(reduced, h), 3.6378 / h);
}
