// What the choice of a solver and the common interface cost on top of the packages themselves, and how far
// the scan of a matrix is from the memory's speed. Usage: benchmark_factorization [points along one edge]
//
// The matrix is the 7-point Laplacian of a cube. Raw CHOLMOD does what a program that knows its matrix would
// do: the default ordering, 32-bit indices, no checks.

#include <halfdof/linear_algebra/eigen/engine.h>

#include "linear_algebra/matrices.h"
#include "raw_cholmod.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace halfdof;

namespace {

/// Processor time: other programs on the machine do not count. One BLAS thread: OPENBLAS_NUM_THREADS=1.
template <class Action>
double best_seconds(int n_repetitions, const Action& action) {
  double best = HUGE_VAL;
  for (int repetition = 0; repetition < n_repetitions; ++repetition) {
    const std::clock_t start = std::clock();
    action();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

/// Reads the values and where the columns start, once.
double plain_read(const EigenMatrix::Storage& A) {
  const double sum = Eigen::Map<const Eigen::ArrayXd>(A.valuePtr(), A.nonZeros()).sum();
  return sum +
         Eigen::Map<const Eigen::Array<Index, Eigen::Dynamic, 1>>(A.outerIndexPtr(), A.outerSize()).sum();
}

void print(const char* what, double ours, double theirs) {
  std::printf("%-42s %9.4f s   %9.4f s   %5.2f\n", what, ours, theirs, ours / theirs);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const Index n = n_arguments > 1 ? std::atoi(arguments[1]) : 37;
  const EigenMatrix A = test::laplacian(n, n, n);
  benchmark::RawCholmod raw(A.entries());
  std::printf("7-point Laplacian, %d rows%32s %13s %8s\n", n * n * n, "halfdof", "raw", "ratio");

  const double raw_factorize = best_seconds(3, [&] { raw.factorize(); });
  print("factorize (CHOLMOD)", best_seconds(3, [&] { EigenEngine::factorize(A); }), raw_factorize);

  const EigenMatrix none = EigenEngine::diagonal(Vector::Zero(A.rows().n_local()), A.rows());
  const EigenPencil pencil(none, none, A);
  pencil.factorize(0., 0., 1.);
  print("factorize again (pencil)", best_seconds(3, [&] { pencil.factorize(0., 0., 1.); }), raw_factorize);

  const auto factorization = EigenEngine::factorize(A);
  for (const Index n_columns : {1, 8, 32}) {
    MultiVector b = MultiVector::Ones(A.rows().n_local(), n_columns);
    char what[64];
    std::snprintf(what, sizeof(what), "solve for %d right-hand sides", n_columns);
    print(what, best_seconds(5, [&] { factorization->solve(b); }), best_seconds(5, [&] { raw.solve(b); }));
  }

  // Larger than the caches: 8 bytes for each of 1.4e7 entries.
  const EigenMatrix large = test::laplacian(126, 126, 126);
  double sum = 0;
  const double read = best_seconds(10, [&] { sum += plain_read(large.entries()); });
  print("column norms (plain read)", best_seconds(10, [&] { sum += EigenEngine::column_norms(large)[0]; }),
        read);
  print("find non-finite (plain read)",
        best_seconds(10, [&] { sum += EigenEngine::find_non_finite(large) ? 1. : 0.; }), read);
  print("row norms (plain read)", best_seconds(10, [&] { sum += EigenEngine::row_norms(large)[0]; }), read);
  return std::isfinite(sum) ? EXIT_SUCCESS : EXIT_FAILURE;
}
