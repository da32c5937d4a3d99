// How long it takes from assembled matrices to kinds of degrees of freedom, beside one plain reading of their
// values. Usage: benchmark_classification [millions of entries in each matrix]
//
// M, C and K have the pattern of trilinear elements with three components on a cube. Every seventh column of
// M is null, and half of these of C. Three ways: nothing constrained, as it comes from an application that
// imposes its constraints itself; with a face constrained; and with zeros stored in the null columns.

#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

using namespace halfdof;
using Storage = EigenMatrix::Storage;

/// Processor time: other programs on the machine do not count.
template <class Action>
double best_seconds(const Action& action) {
  double best = 1e300;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const std::clock_t start = std::clock();
    action();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

Storage cube(int n) {
  const int size = 3 * n * n * n;
  Storage matrix(size, size);
  matrix.reserve(Eigen::VectorXi::Constant(size, 81));
  const auto inside = [n](int x) { return x >= 0 && x < n; };
  for (int column = 0; column < size; ++column) {
    const int vertex = column / 3, x = vertex % n, y = vertex / n % n, z = vertex / (n * n);
    for (int neighbour = 0; neighbour < 27; ++neighbour) {
      const int a = x + neighbour % 3 - 1, b = y + neighbour / 3 % 3 - 1, c = z + neighbour / 9 - 1;
      if (!inside(a) || !inside(b) || !inside(c)) continue;
      for (int other = 0; other < 3; ++other)
        matrix.insert(3 * ((c * n + b) * n + a) + other, column) = 1. + 1e-3 * (column % 10);
    }
  }
  matrix.makeCompressed();
  return matrix;
}

enum class NullColumns { stored, left_out };

EigenMatrix without_columns(Storage matrix, int step, NullColumns how) {
  for (int column = 0; column < matrix.cols(); column += step)
    for (Storage::InnerIterator entry(matrix, column); entry; ++entry)
      entry.valueRef() = 0;
  if (how == NullColumns::left_out) matrix.prune([](int, int, double value) { return value != 0; });
  return EigenMatrix(std::move(matrix));
}

/// The sum of all values of three matrices.
double plain_sum(const SystemDescription<EigenEngine>& system) {
  double sum = 0;
  for (const EigenMatrix* A : {&*system.mass, &*system.damping, &system.stiffness})
    sum += Eigen::Map<const Eigen::ArrayXd>(A->entries().valuePtr(), A->entries().nonZeros()).sum();
  return sum;
}

void measure(const char* title, const SystemDescription<EigenEngine>& system) {
  double sum = 0;
  GlobalIndex n_states = 0;
  const double reading = best_seconds([&] { sum = plain_sum(system); });
  const double classifying = best_seconds([&] {
    n_states = classify_dofs(FreeSystem<EigenEngine>(AssembledSystem<EigenEngine>(system))).n_states();
  });
  std::printf("%-20s plain reading %.4f s, to the kinds %.4f s: ratio %.1f (N_s = %lld, sum %g)\n", title,
              reading, classifying, classifying / reading, static_cast<long long>(n_states), sum);
}

}  // namespace

int main(int argc, char** argv) {
  const double n_millions = argc > 1 ? std::atof(argv[1]) : 10;
  const int n = std::max(2, static_cast<int>(std::cbrt(n_millions * 1e6 / 243)));
  const Storage K = cube(n);
  std::printf("%d degrees of freedom, %d entries in K\n", static_cast<int>(K.cols()),
              static_cast<int>(K.nonZeros()));
  SystemDescription<EigenEngine> system;
  system.stiffness = EigenMatrix(K);
  for (const NullColumns how : {NullColumns::left_out, NullColumns::stored}) {
    system.mass = without_columns(K, 7, how);
    system.damping = without_columns(K, 14, how);
    system.constrained.clear();
    measure(how == NullColumns::stored ? "zeros stored" : "nothing constrained", system);
    if (how == NullColumns::stored) break;
    for (int i = 0; i < 3 * n * n; ++i)
      system.constrained.push_back(i);
    measure("a face constrained", system);
  }
}
