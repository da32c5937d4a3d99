// SPDX-License-Identifier: LGPL-2.1-or-later
// What set-up and steps cost for growing models, and contacts for growing numbers of them: the measurements
// that benchmark_cost_model fits. Usage: benchmark_cost <file.csv> [largest number of DoFs]
#include <halfdof/assembled/free_system.h>
#include <halfdof/inclusions/delassus.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/output/result_files.h>

#include <Eigen/Dense>

#include "piezoelectric_body.h"
#include "timing.h"
#include <cstdlib>
#include <iostream>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::seconds;

namespace {

double quartile_of(int n, const std::function<void()>& work) {
  std::vector<double> times;
  for (int k = 0; k < n; ++k)
    times.push_back(seconds(work));
  return benchmark::quartile(times);
}

class Measurements {
 public:
  explicit Measurements(const std::filesystem::path& file)
      : table_(file, {"quantity", "dimension", "n", "m", "value"}) {}

  /// @param n DoFs @param m contacts, or 0
  void add(const std::string& quantity, int dimension, double n, double m, double value) {
    table_.add_row({quantity, dimension, n, m, value});
    std::cout << quantity << ", " << dimension << "D, n = " << n << ", m = " << m << ": " << value
              << std::endl;
  }

 private:
  CsvTable table_;
};

/// Contacts on DoFs of nodes that are spread over the body.
std::vector<Inclusion> contacts(Index n_dofs, Index n_per_node, Index m) {
  std::vector<Inclusion> all;
  for (Index i = 0; i < m; ++i) {
    const Index node = (2 * i + 1) * n_dofs / (2 * n_per_node * 2 * m) + n_dofs / (4 * n_per_node);
    all.push_back(inclusion("contact " + std::to_string(i), std::make_shared<UnilateralContact>(),
                            Direction({{n_per_node * node, 1.}})));
  }
  return all;
}

template <int dim>
void measure(int n_cells, Measurements& measurements) {
  const benchmark::PiezoelectricBody<dim> body(n_cells);
  const auto system = body.assemble();
  const double n = static_cast<double>(system.n_dofs());
  const auto add = [&](const char* quantity, double value, double m = 0) {
    measurements.add(quantity, dim, n, m, value);
  };
  add("classify", quartile_of(3, [&] { classify_dofs(FreeSystem<EigenEngine>(system)); }));
  std::optional<ReducedSystem<EigenEngine>> reduced;
  add("reduce", quartile_of(3, [&] { reduced.emplace(reduce(system)); }));
  const double h = 1e-2;
  FactorizationPtr<double> P;
  add("factorize", quartile_of(1, [&] { P = reduced->factorize_pencil(4 / (h * h), 2 / h, 1.); }));
  add("entries", static_cast<double>(P->report().n_entries));
  add("factor entries", static_cast<double>(P->report().n_factor_entries));
  const Vector b = Vector::Random(reduced->free().dofs().n_local());
  add("solve", quartile_of(20, [&] { P->solve(b); }));
  Vector product = b;
  const auto& K = reduced->free().K();
  add("product",
      quartile_of(20, [&] { K.add_product(1., b, product); }) / static_cast<double>(K.entries().nonZeros()));
  Trapezoidal<EigenEngine> integrator(*reduced, h);
  State state{0., Vector::Zero(reduced->n_local_states())};
  integrator.step(state);
  add("step", quartile_of(20, [&] { integrator.step(state); }));
  const Index m = 32;
  const Inclusions<EigenEngine> inclusions(*reduced, contacts(static_cast<Index>(n), dim + 1, m));
  add("Delassus", quartile_of(1, [&] { step_delassus(inclusions, P); }), m);
}

/// A chain of contacts: waves travel along it, and each step starts from the last one.
void measure_laws(Index m, Measurements& measurements) {
  MultiVector flexibility = MultiVector::Identity(m, m);
  for (Index i = 0; i + 1 < m; ++i) {
    flexibility.block(i, i, 2, 2) += (Eigen::Matrix2d() << 1, -1, -1, 1).finished();
  }
  const std::vector<NamedLaw> laws(static_cast<std::size_t>(m),
                                   {std::make_shared<UnilateralContact>(), "contact"});
  OneStepSolver solver(OneStepProblem(laws, flexibility.inverse()));
  Vector b(m), r = Vector::Zero(m), w(m);
  int step = 0;
  std::vector<ContactState> states;
  measurements.add("laws", 0, 0, static_cast<double>(m), quartile_of(100, [&] {
                     ++step;
                     for (Index i = 0; i < m; ++i)
                       b[i] = std::sin(0.05 * step + 0.3 * i) + 0.5 * std::sin(0.083 * step - 0.11 * i);
                     LawsAtTime now = solver.problem().laws_at(0., states);
                     solver.solve(now, b, r, w);
                     states = solver.problem().states(now, b, r, w);
                   }));
}

}  // namespace

int main(int n_arguments, char** arguments) {
  if (n_arguments < 2) {
    std::cerr << "usage: benchmark_cost <file.csv> [largest number of DoFs]\n";
    return 2;
  }
  const double largest = n_arguments > 2 ? std::atof(arguments[2]) : 1e5;
  Measurements measurements(arguments[1]);
  for (const Index m : {10, 30, 100, 300, 1000})
    measure_laws(m, measurements);
  for (int n_cells = 32; 4. * n_cells * n_cells <= largest; n_cells = n_cells * 10 / 7)
    measure<2>(n_cells, measurements);
  for (int n_cells = 8; 5. * n_cells * n_cells * n_cells <= largest; n_cells = n_cells * 5 / 4)
    measure<3>(n_cells, measurements);
}
