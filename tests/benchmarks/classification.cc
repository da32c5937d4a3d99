// SPDX-License-Identifier: LGPL-2.1-or-later
// How long the classification takes beside one plain reading of what it looks at, the values of M and C; and
// all from assembled matrices to kinds of degrees of freedom, checks and the selection of free DoFs included,
// beside one reading of M, C and K. Usage: benchmark_classification [millions of entries in each matrix]
//
// M, C and K have the pattern of trilinear elements with three components on a cube. Every seventh column of
// M is null, and half of these of C. Three ways: nothing constrained, as it comes from an application that
// imposes its constraints itself; with a face constrained; and with zeros stored in the null columns.

#include <halfdof/assembled/free_system.h>
#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include "report.h"
#include "timing.h"
#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace halfdof;
using namespace halfdof::internal;
using Storage = EigenMatrix::Storage;

/// In turn, so that what disturbs the machine disturbs both.
template <class Ours, class Reading>
std::pair<double, double> best_of_nine(const Ours& ours, const Reading& reading) {
  std::pair<double, double> best{1e300, 1e300};
  for (int repetition = 0; repetition < 9; ++repetition) {
    best.first = std::min(best.first, benchmark::seconds(ours));
    best.second = std::min(best.second, benchmark::seconds(reading));
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

double sum_of_values(const EigenMatrix& A) {
  return Eigen::Map<const Eigen::ArrayXd>(A.entries().valuePtr(), A.entries().nonZeros()).sum();
}

void measure(const std::string& title, const SystemDescription<EigenEngine>& system,
             benchmark::Report& report) {
  const std::string model =
      title + ", " + std::to_string(system.stiffness.entries().nonZeros()) + " entries in K";
  double sum = 0;
  const FreeSystem<EigenEngine> free{AssembledSystem<EigenEngine>(system)};
  const auto scan = best_of_nine([&] { classify_dofs(free); },
                                 [&] { sum += sum_of_values(free.M()) + sum_of_values(free.C()); });
  report.add({"classification", model, "reading M and C", scan.first, scan.second, 0.8});
  const auto all = best_of_nine(
      [&] { classify_dofs(FreeSystem<EigenEngine>(AssembledSystem<EigenEngine>(system))); },
      [&] {
        sum += sum_of_values(*system.mass) + sum_of_values(*system.damping) + sum_of_values(system.stiffness);
      });
  report.add({"from assembled matrices to kinds", model, "reading M, C and K", all.first, all.second, 0.});
  if (!(sum != 0)) std::cout << "The values sum to zero.\n";  // or the compiler would read none of them
}

}  // namespace

int main(int argc, char** argv) {
  const double n_millions = argc > 1 ? std::atof(argv[1]) : 10;
  const int n = std::max(2, static_cast<int>(std::cbrt(n_millions * 1e6 / 243)));
  const Storage K = cube(n);
  benchmark::Report report;
  SystemDescription<EigenEngine> system;
  system.stiffness = EigenMatrix(K);
  for (const NullColumns how : {NullColumns::left_out, NullColumns::stored}) {
    system.mass = without_columns(K, 7, how);
    system.damping = without_columns(K, 14, how);
    system.constrained.clear();
    measure(how == NullColumns::stored ? "zeros stored" : "nothing constrained", system, report);
    if (how == NullColumns::stored) break;
    for (int i = 0; i < 3 * n * n; ++i)
      system.constrained.push_back(i);
    measure("a face constrained", system, report);
  }
}
