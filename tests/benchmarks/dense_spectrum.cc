// SPDX-License-Identifier: LGPL-2.1-or-later
// All eigenvalues of a small model: reduced, and QR of its state matrix, beside QZ (LAPACK's dggev) of the
// companion pencil in (q, q'), nothing eliminated. Then how many finite values each finds that are none,
// where null columns are exact, rotated out of sight, or filled by rounding. The best of three. Usage:
// benchmark_dense_spectrum [cells along an edge of the square]...
//
// A finite value counts as spurious where no eigenvalue of the exact reduction lies within a hundredth of it.

#include <halfdof/assembled/free_system.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/spectrum/dense_spectrum.h>

#include "piezoelectric_body.h"
#include "report.h"
#include "timing.h"
#include <functional>
#include <limits>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::seconds;

namespace {

struct Matrices {
  MultiVector M, C, K;

  Index n_dofs() const { return static_cast<Index>(K.rows()); }
  void for_each(const std::function<void(MultiVector&)>& change) {
    for (MultiVector* matrix : {&M, &C, &K})
      change(*matrix);
  }
};

Matrices free_matrices(const AssembledSystem<EigenEngine>& system) {
  const FreeSystem<EigenEngine> free(system);
  return {EigenEngine::to_dense(free.M()), EigenEngine::to_dense(free.C()), EigenEngine::to_dense(free.K())};
}

/// Every DoF without mass and one with it turn into combinations of both: no column of M is null then.
Matrices rotated(Matrices of) {
  std::vector<Index> heavy, light;
  for (Index j = 0; j < of.n_dofs(); ++j)
    (of.M.col(j).isZero(0) ? light : heavy).push_back(j);
  for (std::size_t k = 0; k < light.size(); ++k) {
    const Eigen::JacobiRotation<double> turn(0.8, 0.6);
    const Index i = heavy[k % heavy.size()], j = light[k];
    of.for_each([&](MultiVector& A) {
      A.applyOnTheLeft(i, j, turn.adjoint());
      A.applyOnTheRight(i, j, turn);
    });
  }
  return of;
}

/// M and C with noise of 1e-18, relative to their largest entries.
Matrices rounded(Matrices of) {
  for (MultiVector* A : {&of.M, &of.C})
    *A += 1e-18 * A->cwiseAbs().maxCoeff() * MultiVector::Random(of.n_dofs(), of.n_dofs());
  return of;
}

AssembledSystem<EigenEngine> assembled(const Matrices& of) {
  SystemDescription<EigenEngine> description;
  description.mass = EigenMatrix(EigenMatrix::Storage(of.M.sparseView(0, 0)));
  description.damping = EigenMatrix(EigenMatrix::Storage(of.C.sparseView(0, 0)));
  description.stiffness = EigenMatrix(EigenMatrix::Storage(of.K.sparseView(0, 0)));
  return AssembledSystem<EigenEngine>(std::move(description));
}

std::vector<Complex> by_reduction(const AssembledSystem<EigenEngine>& system,
                                  const ReductionOptions& options) {
  return eigenvalues(dense_state_matrix(reduce(system, options)));
}

/// What QZ returns with a beta that is not zero.
std::vector<Complex> by_QZ(const Matrices& of) {
  const Index n = of.n_dofs();
  MultiVector A = MultiVector::Zero(2 * n, 2 * n), E = MultiVector::Identity(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomRows(n) << -of.K, -of.C;
  E.bottomRightCorner(n, n) = of.M;
  std::vector<Complex> finite;
  for (const HomogeneousEigenvalue& value : eigenvalues(A, E))
    if (value.beta != 0.) finite.push_back(value.alpha / value.beta);
  return finite;
}

/// How far the farthest value of a list is from its nearest of another, relative to itself.
double distance_to(const std::vector<Complex>& exact, Complex value) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Complex& other : exact)
    nearest = std::min(nearest, std::abs(value - other));
  return nearest / std::abs(value);
}

int n_spurious(const std::vector<Complex>& found, const std::vector<Complex>& exact) {
  return static_cast<int>(std::count_if(found.begin(), found.end(),
                                        [&](Complex value) { return !(distance_to(exact, value) < 0.01); }));
}

double farthest(const std::vector<Complex>& of, const std::vector<Complex>& from) {
  double distance = 0;
  for (const Complex& value : of)
    distance = std::max(distance, distance_to(from, value));
  return distance;
}

void compare(int n_cells, benchmark::Report& report) {
  const auto system = benchmark::PiezoelectricBody<2>(n_cells).assemble();
  const Matrices matrices = free_matrices(system);
  double ours = std::numeric_limits<double>::infinity(), theirs = ours;
  std::vector<Complex> reduced, pencil;
  for (int repetition = 0; repetition < 3; ++repetition) {
    ours = std::min(ours, seconds([&] { reduced = by_reduction(system, {}); }));
    theirs = std::min(theirs, seconds([&] { pencil = by_QZ(matrices); }));
  }
  report.add({"all eigenvalues", "pencil of order " + std::to_string(2 * matrices.n_dofs()), "LAPACK, QZ",
              ours, theirs, 10., std::max(farthest(reduced, pencil), farthest(pencil, reduced))});
}

void count(int n_cells) {
  const auto system = benchmark::PiezoelectricBody<2>(n_cells).assemble();
  const std::vector<Complex> exact = by_reduction(system, {});
  ReductionOptions by_kernels, tolerant;
  by_kernels.method = ReductionMethod::kernel;
  tolerant.classification.null_tolerance = 1e-14;
  struct Case {
    const char* name;
    Matrices matrices;
    ReductionOptions options;
  };
  const Matrices plain = free_matrices(system);
  for (const Case& the : {Case{"exact", plain, {}}, Case{"rotated", rotated(plain), by_kernels},
                          Case{"rounded", rounded(plain), tolerant}}) {
    const std::vector<Complex> reduced = by_reduction(assembled(the.matrices), the.options),
                               pencil = by_QZ(the.matrices);
    std::cout << "Null columns " << the.name << ", " << exact.size() << " eigenvalues: ours finds "
              << reduced.size() << " values, " << n_spurious(reduced, exact) << " of them spurious; QZ "
              << pencil.size() << " finite ones, " << n_spurious(pencil, exact) << " of them spurious.\n";
  }
}

}  // namespace

int main(int n_arguments, char** arguments) {
  std::vector<int> sizes;
  for (int i = 1; i < n_arguments; ++i)
    sizes.push_back(std::atoi(arguments[i]));
  if (sizes.empty()) sizes = {11};
  count(sizes.front());
  benchmark::Report report;
  for (const int n_cells : sizes)
    compare(n_cells, report);
}
