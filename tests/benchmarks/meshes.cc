// SPDX-License-Identifier: LGPL-2.1-or-later
// Models from deal.II's meshes, curved, graded and with hanging nodes: the elimination beside factorizations
// of D as a whole, and modes beside SLEPc. Usage: benchmark_meshes [refinements of the disk] [of the ball]
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <deal.II/base/mpi.h>

#include "piezoelectric_mesh.h"
#include "report.h"
#include "slepc.h"
#include "timing.h"

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::seconds;

namespace {

constexpr int n_repetitions = 3;
constexpr double infinity = std::numeric_limits<double>::infinity();

void compare_elimination(const AssembledSystem<EigenEngine>& system, const std::string& model,
                         double goal_of_klu, benchmark::Report& report) {
  const ReducedSystem<EigenEngine> reduced = reduce(system);
  const FreeSystem<EigenEngine>& free = reduced.free();
  const Index n = free.dofs().n_local();
  const EigenMatrix D =
      EigenEngine::select_columns(free.M(), free.C(), free.K(), column_sources(reduced.classification(), n));
  const Vector b = Vector::Random(n);
  const Vector by_us = reduced.highest_derivatives(Vector::Zero(reduced.n_local_states()), b);
  for (const auto& [solver, goal] : {std::pair(Solver::klu, goal_of_klu), std::pair(Solver::umfpack, 1.)}) {
    FactorizationOptions options;
    options.solver = solver;
    double ours = infinity, theirs = infinity, differ = 0;
    for (int repetition = 0; repetition < n_repetitions; ++repetition) {
      ours = std::min(ours, seconds([&] { reduce(system); }));
      FactorizationPtr<double> factors;
      theirs = std::min(theirs, seconds([&] { factors = EigenEngine::factorize(D, options); }));
      const Vector x = factors->solve(b);
      differ = (x - by_us).norm() / x.norm();
    }
    report.add({"elimination", model, std::string(name_of(solver)) + " on D", ours, theirs, goal, differ});
  }
}

void compare_modes(const AssembledSystem<EigenEngine>& system, const std::string& model,
                   const benchmark::Peer& slepc, benchmark::Report& report) {
  constexpr Index n_eigenvalues = 40;  // a mode that oscillates has two
  const benchmark::PencilFiles files{FreeSystem<EigenEngine>(system)};
  double ours = infinity, theirs = infinity, differ = 0;
  for (int repetition = 0; repetition < n_repetitions; ++repetition) {
    NearestEigenvalues nearest;
    ours = std::min(ours, seconds([&] { nearest = nearest_eigenvalues(reduce(system), n_eigenvalues); }));
    const auto found = benchmark::run_slepc(slepc, {files.folder().string(), std::to_string(n_eigenvalues)});
    theirs = std::min(theirs, found.seconds);
    differ = benchmark::disagreement(nearest.eigenvalues, found.eigenvalues, n_eigenvalues);
  }
  report.add({"20 modes nearest zero", model, "SLEPc PEP, TOAR with MUMPS", ours, theirs, 1.5, differ});
}

template <int dim>
void compare(unsigned int n_refinements, double goal_of_klu, benchmark::Report& report) {
  const benchmark::PiezoelectricMesh<dim> mesh(n_refinements, 0.01);
  const AssembledSystem<EigenEngine> system = mesh.system();
  const std::string model =
      std::string(dim == 2 ? "disk" : "ball") + " of deal.II, " + std::to_string(system.n_dofs()) + " DoFs";
  compare_elimination(system, model, goal_of_klu, report);
  if (const auto slepc = benchmark::Peer::find("slepc_pep")) compare_modes(system, model, *slepc, report);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  dealii::Utilities::MPI::MPI_InitFinalize mpi(n_arguments, arguments, 1);
  const auto argument = [=](int i, int otherwise) {
    return static_cast<unsigned int>(n_arguments > i ? std::atoi(arguments[i]) : otherwise);
  };
  benchmark::Report report;
  compare<2>(argument(1, 5), 2.5, report);
  compare<3>(argument(2, 2), 1., report);
}
