// SPDX-License-Identifier: LGPL-2.1-or-later
// What Krylov iterations with multigrid cost for growing models, beside benchmark_cost: the measurements of
// COST.md that benchmark_cost_model fits. Usage: mpirun -n 1 benchmark_cost_multigrid <file.csv> [largest
// number of DoFs]
#include <halfdof/base/pseudo_random.h>
#include <halfdof/output/result_files.h>
#include <halfdof/reduction/reduced_system.h>

#include "distributed_body.h"
#include "timing.h"
#include <cstdlib>
#include <iostream>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::seconds;

namespace {

void measure(int n_cells, const std::shared_ptr<const Communicator>& communicator, CsvTable* table) {
  const benchmark::DistributedBody body(n_cells, communicator);
  SystemDescription<TrilinosEngine> description;
  description.stiffness = body.stiffness();
  description.damping = body.damping();
  description.mass = body.mass();
  description.near_null_space = body.rigid_motions();
  const AssembledSystem<TrilinosEngine> system(std::move(description));
  const double n = static_cast<double>(system.n_dofs());
  const auto add = [&](const char* quantity, double value) {
    if (!table) return;
    table->add_row({quantity, 3, n, communicator->size(), value});
    std::cout << quantity << ", n = " << n << ", " << communicator->size() << " processes: " << value
              << std::endl;
  };
  /// Of the busiest process.
  const auto timed = [&](const std::function<void()>& work) { return communicator->max(seconds(work)); };

  ReductionOptions options;
  options.elimination.factorization.solver = options.shifted.solver = Solver::krylov;
  std::optional<ReducedSystem<TrilinosEngine>> reduced;
  add("reduce by iterations", timed([&] { reduced.emplace(system, options); }));
  const double sigma = 2;  // steps as long as a wave takes across the body: K outweighs M
  FactorizationPtr<double> P;
  const double set_up = timed([&] { P = reduced->factorize_pencil(sigma * sigma, sigma, 1.); });
  const Vector b = pseudo_random(body.dofs());
  const double solve = timed([&] { P->solve(b); });
  add("multigrid", set_up - solve);  // which solves a trial system
  if (table) std::cout << P->report().iteration << '\n';
  add("entries of P", static_cast<double>(P->report().n_entries));
  add("iterations", P->report().n_steps);
  add("iteration", solve / P->report().n_steps);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  MPI_Init(&n_arguments, &arguments);
  if (n_arguments < 2) {
    std::cerr << "usage: mpirun -n 1 benchmark_cost_multigrid <file.csv> [largest number of DoFs]\n";
    MPI_Finalize();
    return 2;
  }
  {
    const double largest = n_arguments > 2 ? std::atof(arguments[2]) : 1e5;
    const auto communicator = std::make_shared<const MpiCommunicator>(MPI_COMM_WORLD);
    std::optional<CsvTable> table;
    if (communicator->rank() == 0)
      table.emplace(arguments[1], std::vector<std::string>{"quantity", "dimension", "n", "m", "value"});
    for (int n_cells = 10; 5. * n_cells * n_cells * n_cells <= largest; n_cells = n_cells * 4 / 3)
      measure(n_cells, communicator, table ? &*table : nullptr);
  }
  MPI_Finalize();
}
