// SPDX-License-Identifier: LGPL-2.1-or-later
// Contacts with Coulomb friction in space by the nonsmooth Gauss-Seidel solver of Siconos, step by step from
// the reactions of the step before. Usage: siconos_coulomb <file> <contacts> <steps> <friction> <tolerance>
//
// The file holds doubles: W by columns, symmetric, then b of each step; of each contact the normal first.
// Prints the seconds of processor time of a step, then the rates after the last.

#include <halfdof/base/profile.h>

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void read(std::ifstream& file, std::vector<double>& values) {
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
}

}  // namespace

int main(int n_arguments, char** arguments) {
  halfdof::keep_freed_memory();
  if (n_arguments < 6) {
    std::fprintf(stderr, "siconos_coulomb <file> <contacts> <steps> <friction> <tolerance>\n");
    return EXIT_FAILURE;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  const int n_contacts = std::atoi(arguments[2]), n_steps = std::atoi(arguments[3]), m = 3 * n_contacts;
  const auto size = static_cast<std::size_t>(m);
  std::vector<double> W(size * size), b(size), r(size), w(size),
      friction(static_cast<std::size_t>(n_contacts), std::atof(arguments[4]));
  read(file, W);
  NumericsMatrix* const matrix = NM_create(NM_SPARSE_BLOCK, m, m);  // several times faster than dense
  SBM_from_csparse(3, NM_csc(NM_create_from_data(NM_DENSE, m, m, W.data())), matrix->matrix1);
  SolverOptions* const options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->dparam[SICONOS_DPARAM_TOL] = std::atof(arguments[5]);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  FrictionContactProblem problem{3, n_contacts, matrix, b.data(), friction.data()};
  double time = 0;
  for (int step = 0; step < n_steps; ++step) {
    read(file, b);
    const double start = processor_time();
    if (fc3d_driver(&problem, r.data(), w.data(), options) != 0) return EXIT_FAILURE;
    time += processor_time() - start;
  }
  if (!file) return EXIT_FAILURE;
  std::printf("%.6g\n", time / n_steps);
  for (const double each : w)
    std::printf("%.17g\n", each);
}
