// SPDX-License-Identifier: LGPL-2.1-or-later
// One factorization and solve by the parallel MUMPS on one process. Usage: mumps_factorize <file> <sym>
//
// The file: n and the number of entries (64-bit), then the rows, the columns (32-bit, from one), the values
// and the right-hand side; sym = 0: all entries, 1 and 2: the lower triangle of a symmetric matrix (positive
// definite, or not). Prints the seconds of processor time from the entries to the factors, the memory that
// MUMPS says it took [bytes], and the solution.

#include <halfdof/base/profile.h>

#include <dmumps_c.h>
#include <mpi.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace {

struct Equations {
  int n = 0;
  std::vector<int> rows, columns;
  std::vector<double> values, right_side;
};

template <class Value>
std::vector<Value> read(std::ifstream& in, std::int64_t n) {
  std::vector<Value> all(static_cast<std::size_t>(n));
  in.read(reinterpret_cast<char*>(all.data()), static_cast<std::streamsize>(all.size() * sizeof(Value)));
  return all;
}

Equations read(const char* file) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<std::int64_t> sizes = read<std::int64_t>(in, 2);
  Equations equations;
  equations.n = static_cast<int>(sizes[0]);
  equations.rows = read<int>(in, sizes[1]);
  equations.columns = read<int>(in, sizes[1]);
  equations.values = read<double>(in, sizes[1]);
  equations.right_side = read<double>(in, sizes[0]);
  if (in) return equations;
  std::fprintf(stderr, "%s is too short.\n", file);
  std::exit(EXIT_FAILURE);
}

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void run(DMUMPS_STRUC_C& mumps, int job) {
  mumps.job = job;
  dmumps_c(&mumps);
  if (mumps.infog[0] >= 0) return;
  std::fprintf(stderr, "MUMPS reports error %d (%d) in job %d.\n", mumps.infog[0], mumps.infog[1], job);
  std::exit(EXIT_FAILURE);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  halfdof::keep_freed_memory();
  if (n_arguments != 3) {
    std::fprintf(stderr, "usage: mumps_factorize <file> <sym>\n");
    return EXIT_FAILURE;
  }
  Equations equations = read(arguments[1]);
  MPI_Init(nullptr, nullptr);
  DMUMPS_STRUC_C mumps{};
  mumps.comm_fortran = static_cast<MUMPS_INT>(MPI_Comm_c2f(MPI_COMM_SELF));
  mumps.par = 1;
  mumps.sym = std::atoi(arguments[2]);
  run(mumps, -1);
  for (int stream = 0; stream < 3; ++stream)
    mumps.icntl[stream] = -1;
  mumps.icntl[3] = 0;
  mumps.icntl[13] = 50;  // more room than predicted [%], so that it need not begin again
  mumps.n = equations.n;
  mumps.nnz = static_cast<MUMPS_INT8>(equations.values.size());
  mumps.irn = equations.rows.data();
  mumps.jcn = equations.columns.data();
  mumps.a = equations.values.data();
  mumps.rhs = equations.right_side.data();

  const double begin = processor_time();
  run(mumps, 4);
  const double seconds = processor_time() - begin;
  const double bytes = 1e6 * mumps.infog[21];
  run(mumps, 3);
  run(mumps, -2);
  std::printf("%.6f\n%.6g\n", seconds, bytes);
  for (const double x : equations.right_side)
    std::printf("%.17g\n", x);
  MPI_Finalize();
}
