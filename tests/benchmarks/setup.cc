// From assembled matrices to a reduced system: what the elimination costs beside the calls of CHOLMOD that a program would
// make which knows its blocks, and beside factorizations of D as a whole. Usage: benchmark_setup [cells along an edge of
// the square] [of the cube]

#include <halfdof/base/profile.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>

#include "piezoelectric_body.h"
#include "raw_cholmod.h"
#include "report.h"
#include "timing.h"
#include <limits>

using namespace halfdof;
using benchmark::seconds;

namespace {

template <class Work>
double best_of_three(const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 3; ++repetition)
    best = std::min(best, seconds(work));
  return best;
}

/// Processor time of a stage wherever it runs, but within itself.
double of_stage(const std::string& name) {
  double sum = 0;
  int within = std::numeric_limits<int>::max();
  for (const ProfiledStage& stage : Profile::of_process().stages()) {
    if (stage.depth <= within) within = std::numeric_limits<int>::max();
    if (stage.name != name || stage.depth > within) continue;
    within = stage.depth;
    sum += stage.processor;
  }
  return sum;
}

template <int dim>
void compare(int n_cells, double goal_of_klu, benchmark::Report& report) {
  const auto system = benchmark::PiezoelectricBody<dim>(n_cells).assemble();
  const std::string model = std::to_string(dim) + "D, " + std::to_string(system.n_dofs()) + " DoFs";
  const double ours = best_of_three([&] { reduce(system); });

  Profile::of_process().start();
  const ReducedSystem<EigenEngine> reduced = reduce(system);
  Profile::of_process().stop();
  const double all = of_stage("reduce"), in_factors = of_stage("factorize");
  report.add({"all but the factorization", model, "a tenth of it", all - in_factors, 0.1 * in_factors, 1.});

  const FreeSystem<EigenEngine>& free = reduced.free();
  const Classification& kinds = reduced.classification();
  const auto block = [&](const EigenMatrix& A, const Selection& of) {
    return EigenEngine::submatrix(A, of, of);
  };
  const EigenMatrix M_II = block(free.M(), kinds.inertial());
  const EigenMatrix::Storage negative_K_KK = -block(free.K(), kinds.algebraic()).entries();
  const double raw = best_of_three([&] {
    benchmark::RawCholmod(M_II.entries()).factorize();
    benchmark::RawCholmod(negative_K_KK).factorize();
  });
  report.add({"elimination", model, "CHOLMOD on the blocks", ours, raw, 1 / 1.1});

  const EigenMatrix D =
      EigenEngine::select_columns(free.M(), free.C(), free.K(), column_sources(kinds, free.dofs().n_local()));
  const Vector b = Vector::Random(free.dofs().n_local());
  const auto by_us = reduced.highest_derivatives(Vector::Zero(reduced.n_local_states()), b);
  const auto whole = [&](Solver solver, double goal) {
    FactorizationOptions options;
    options.solver = solver;
    FactorizationPtr<double> factors;
    const double theirs = seconds([&] { factors = EigenEngine::factorize(D, options); });
    const MultiVector x = factors->solve(b);
    report.add({"elimination", model, std::string(name_of(solver)) + " on D", ours, theirs, goal,
                (x - by_us).norm() / x.norm()});
  };
  whole(Solver::klu, goal_of_klu);
  whole(Solver::umfpack, 1.);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  benchmark::Report report;
  compare<2>(n_arguments > 1 ? std::atoi(arguments[1]) : 158, 2.5, report);
  compare<3>(n_arguments > 2 ? std::atoi(arguments[2]) : 16, 1., report);
}
