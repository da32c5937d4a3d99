// SPDX-License-Identifier: LGPL-2.1-or-later
// A body in 3D that no process holds as a whole, classified, reduced and stepped by Krylov iterations with
// multigrid:
//   mpirun -n 2 benchmark_distributed [n_cells [n_steps]]
// On several processes the first one does it alone before, for the speed-up in the same run; "only" as a
// third argument leaves that out, for models that fill the memory; with 0 steps there is a first one alone.
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/reduction/mixed_column_matrix.h>

#include "distributed_body.h"
#include "memory.h"
#include "report.h"
#include "timing.h"
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::benchmark;

namespace {

/// Times stages: processor time of the busiest process, and what they leave of memory.
class Stages {
 public:
  explicit Stages(const Communicator& communicator) : communicator_(communicator) {}

  /// @return processor time of the busiest process [s]
  double run(const std::string& name, const std::function<void()>& work) {
    const double begin = MPI_Wtime();
    const double processor = communicator_.max(seconds(work));
    const double wall = communicator_.max(MPI_Wtime() - begin);
    double memory = 1e-9 * process_memory("VmHWM");
    communicator_.sum(&memory, 1);
    table_.add_row({name, wall, processor, memory});
    return processor;
  }

  void print() const {
    if (communicator_.rank() == 0) std::cout << table_ << std::flush;
  }

 private:
  const Communicator& communicator_;
  TextTable table_{{"stage",
                    {"wall [s]", NumberStyle::general, 3},
                    {"processor [s]", NumberStyle::general, 3},
                    {"peak memory of all [GB]", NumberStyle::general, 3}}};
};

struct Result {
  double reduction = 0, factorization = 0, step = 0;  ///< [s]
  Vector norms;                                       ///< of the states after each step
};

Result reduce_and_step(const std::shared_ptr<const Communicator>& communicator, int n_cells, int n_steps) {
  const bool talks = communicator->rank() == 0;
  Stages stages(*communicator);
  Result result;
  std::optional<AssembledSystem<TrilinosEngine>> assembled;
  stages.run("assemble", [&] {
    const DistributedBody body(n_cells, communicator);
    SystemDescription<TrilinosEngine> description;
    description.stiffness = body.stiffness();
    description.damping = body.damping();
    description.mass = body.mass();
    // Translations alone where memory counts: a coarse level of half the size for some more steps.
    description.near_null_space = body.rigid_motions().leftCols(body.dofs().n_global() > 1000000 ? 3 : 6);
    description.load = [load = body.tip_load()](double time) -> Vector { return std::sin(time) * load; };
    assembled.emplace(std::move(description));
  });
  if (talks)
    std::cout << assembled->n_dofs() << " DoFs on " << communicator->size() << " processes\n" << std::flush;

  ReductionOptions options;
  options.elimination.factorization.solver = options.shifted.solver = Solver::krylov;
  std::optional<ReducedSystem<TrilinosEngine>> reduced;
  result.reduction = stages.run("classify and reduce", [&] { reduced.emplace(*assembled, options); });
  for (const EliminationBlock& block : reduced->elimination().blocks())
    if (talks) std::cout << "  " << block.name << ": " << describe(block.factorization) << std::endl;

  const double h = 0.1;
  const double sigma = 2.2 * 1.8 / (2 * h);
  FactorizationPtr<double> step_matrix;
  if (n_steps > 0)
    result.factorization = stages.run("precondition the step matrix", [&] {
      step_matrix = reduced->factorize_pencil(sigma * sigma, sigma, 1.);
    });
  if (talks && step_matrix)
    std::cout << "  step matrix: " << describe(step_matrix->report()) << '\n' << std::flush;
  step_matrix.reset();

  GeneralizedAlpha integrator(*reduced, h);
  State state{0., Vector::Zero(reduced->n_local_states())};
  result.norms = Vector::Zero(n_steps);
  stages.run("first step", [&] { integrator.step(state); });
  for (int k = 0; k < n_steps; ++k) {
    result.step += stages.run("step", [&] { integrator.step(state); });
    double square = state.y.squaredNorm();
    communicator->sum(&square, 1);
    result.norms[k] = std::sqrt(square);
  }
  stages.print();
  return result;
}

void compare(int n_cells, int n_steps) {
  const auto all = std::make_shared<const MpiCommunicator>(MPI_COMM_WORLD);
  Result alone;
  if (all->rank() == 0)
    alone = reduce_and_step(std::make_shared<const MpiCommunicator>(MPI_COMM_SELF), n_cells, n_steps);
  // The others wait without taking a processor from the first.
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int arrived = 0; !arrived;) {
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    const timespec pause{0, 10000000};
    nanosleep(&pause, nullptr);
  }
  const Result together = reduce_and_step(all, n_cells, n_steps);
  if (all->rank() != 0) return;
  const double difference = (together.norms - alone.norms).norm() / alone.norms.norm();
  const std::string model = "3D, " + std::to_string(n_cells) + "^3 cells",
                    peer = "one process, beside " + std::to_string(all->size());
  Report report;
  report.add({"classify and reduce", model, peer, together.reduction, alone.reduction, 1.6, difference});
  report.add({"precondition the step matrix", model, peer, together.factorization, alone.factorization, 1.6,
              difference});
  report.add({"step", model, peer, together.step / n_steps, alone.step / n_steps, 1.6, difference});
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int n_cells = argc > 1 ? std::atoi(argv[1]) : 24, n_steps = argc > 2 ? std::atoi(argv[2]) : 3;
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1 && argc <= 3)
    compare(n_cells, n_steps);
  else
    reduce_and_step(std::make_shared<const MpiCommunicator>(MPI_COMM_WORLD), n_cells, n_steps);
  MPI_Finalize();
}
