// What the nonsmooth problem of one step costs: chains with one inclusion for each mass, as many steps as a
// run makes, each starting from the last one. Usage: benchmark_one_step [steps]
//
// Weak coupling, h^2 k/m = 0.01, is that of a step which resolves the chain's waves; strong coupling, 1e4,
// that of one which does not. Cold: every solve starts from nothing.

#include <halfdof/inclusions/coulomb_friction.h>
#include <halfdof/inclusions/dry_friction.h>
#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/inclusions/unilateral_contact.h>

#include <Eigen/Dense>

#include "timing.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace halfdof;

namespace {

/// Flexibility of n masses in a chain after an implicit step.
MultiVector chain(Index n, double coupling) {
  MultiVector P = MultiVector::Identity(n, n);
  for (Index i = 0; i + 1 < n; ++i) {
    P(i, i) += coupling;
    P(i + 1, i + 1) += coupling;
    P(i, i + 1) = P(i + 1, i) = -coupling;
  }
  return P.inverse();
}

std::vector<NamedLaw> friction(Index n) {
  return std::vector<NamedLaw>(static_cast<std::size_t>(n),
                               {std::make_shared<DryFriction>(-0.5, 0.5), "friction"});
}

std::vector<NamedLaw> contact(Index n) {
  return std::vector<NamedLaw>(static_cast<std::size_t>(n),
                               {std::make_shared<UnilateralContact>(), "contact"});
}

std::vector<NamedLaw> coulomb(Index n) {
  return std::vector<NamedLaw>(static_cast<std::size_t>(n),
                               {std::make_shared<CoulombFriction>(2, 0.3), "contact"});
}

/// Waves that travel along the chain: some inclusions change their state in every step.
Vector load(Index m, int step) {
  Vector b(m);
  for (Index i = 0; i < m; ++i)
    b[i] = std::sin(0.05 * step + 0.3 * i) + 0.5 * std::sin(0.083 * step - 0.11 * i);
  return b;
}

void measure(const char* name, const std::vector<NamedLaw>& laws, const MultiVector& W, int n_steps) {
  OneStepSolver solver(OneStepProblem(laws, W));
  const Index m = solver.problem().n_columns();
  double microseconds[2];
  double iterations = 0;
  OneStepMethod method = OneStepMethod::automatic;
  for (const bool warm : {false, true}) {
    Vector r = Vector::Zero(m), w(m);
    std::vector<ContactState> states;
    std::vector<double> times;
    iterations = 0;
    for (int step = 0; step < n_steps; ++step) {
      const Vector b = load(m, step);
      if (!warm) r.setZero();
      LawsAtTime now = solver.problem().laws_at(0., warm ? states : std::vector<ContactState>());
      OneStepReport report;
      times.push_back(1e6 * benchmark::seconds([&] { report = solver.solve(now, b, r, w); }));
      iterations += report.n_iterations;
      method = report.method;
      states = solver.problem().states(now, b, r, w);
    }
    microseconds[warm] = benchmark::quartile(times);
  }
  std::printf("%-16s %4d inclusions: %9.1f us cold, %9.1f us warm (%s, %.1f iterations)\n", name,
              static_cast<int>(laws.size()), microseconds[0], microseconds[1], name_of(method),
              iterations / n_steps);
}

/// Three equal directions at each mass.
MultiVector in_space(const MultiVector& W) {
  MultiVector result = MultiVector::Zero(3 * W.rows(), 3 * W.cols());
  for (Index i = 0; i < W.rows(); ++i) {
    for (Index j = 0; j < W.cols(); ++j)
      result.block(3 * i, 3 * j, 3, 3).diagonal().setConstant(W(i, j));
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const int n_steps = argc > 1 ? std::atoi(argv[1]) : 200;
  for (const double coupling : {0.01, 1e4}) {
    std::printf("h^2 k/m = %g\n", coupling);
    for (const Index n : {1, 3, 100, 300}) {
      const MultiVector W = chain(n, coupling);
      measure("dry friction", friction(n), W, n_steps);
      measure("contact", contact(n), W, n_steps);
      if (n <= 100) measure("Coulomb, space", coulomb(n), in_space(W), n_steps);
    }
  }
}
