// SPDX-License-Identifier: LGPL-2.1-or-later
// Twenty modes nearest zero, from assembled matrices to eigenvalues, beside the quadratic eigensolver of
// SLEPc on the same matrices, nothing eliminated: TOAR with shift and inversion at zero, factorized by MUMPS
// in the better of two orderings, AMD and its own choice. Both in turn, the best of three. Usage:
// benchmark_eigenvalues [cells along an edge of the square] [of the cube] [of the square that relaxes slowly]
//
// Bodies that relax fast have modes alone near zero. In the last one the eigenvalues of its viscous DoFs, one
// for every cell and close to each other, lie among the modes: the hardest case for the iterations.

#include <halfdof/spectrum/nearest_eigenvalues.h>

#include "piezoelectric_body.h"
#include "report.h"
#include "slepc.h"
#include "timing.h"
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::PencilFiles;
using benchmark::seconds;

namespace {

using Square = benchmark::PiezoelectricBody<2>;
using Cube = benchmark::PiezoelectricBody<3>;

constexpr Index n_eigenvalues = 40;  // a mode that oscillates has two

double disagreement(const std::vector<Complex>& ours, const std::vector<Complex>& theirs) {
  return benchmark::disagreement(ours, theirs, n_eigenvalues);
}

template <int dim>
void compare(const std::string& job, const benchmark::PiezoelectricBody<dim>& body, double goal,
             const benchmark::Peer& slepc, benchmark::Report& report) {
  const auto system = body.assemble();
  const FreeSystem<EigenEngine> free(system);
  const PencilFiles files(free);
  double ours = std::numeric_limits<double>::infinity(), theirs = ours, theirs_twice = ours, differ = 0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    NearestEigenvalues nearest;
    ours = std::min(ours, seconds([&] { nearest = nearest_eigenvalues(reduce(system), n_eigenvalues); }));
    for (const char* ordering : {"0", "7"}) {
      const auto found = benchmark::run_slepc(
          slepc, {files.folder().string(), std::to_string(n_eigenvalues), "-st_mat_mumps_icntl_7", ordering});
      theirs = std::min(theirs, found.seconds);
      theirs_twice = std::min(theirs_twice, found.seconds_twice);
      differ = disagreement(nearest.eigenvalues, found.eigenvalues);
    }
  }
  const std::string model =
      std::to_string(dim) + "D, " + std::to_string(free.dofs().n_global()) + " free DoFs";
  report.add({job, model, "SLEPc PEP, TOAR with MUMPS", ours, theirs, goal, differ});
  report.add({job, model, "the same, a second search too", ours, theirs_twice, goal, differ});
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const auto slepc = benchmark::Peer::find("slepc_pep");
  if (!slepc) return EXIT_SUCCESS;
  benchmark::Report report;
  const int n_square = n_arguments > 1 ? std::atoi(arguments[1]) : 100;
  const int n_cube = n_arguments > 2 ? std::atoi(arguments[2]) : 15;
  const int n_among = n_arguments > 3 ? std::atoi(arguments[3]) : 30;
  const double fast = 0.01;
  compare("20 modes nearest zero", Square(n_square, {}, fast), 1.5, *slepc, report);
  compare("20 modes nearest zero", Cube(n_cube, {}, fast), n_cube < 20 ? 1.5 : 2., *slepc, report);
  compare("40 eigenvalues, some of them relaxing", Square(n_among), 1.5, *slepc, report);
}
