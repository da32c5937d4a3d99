// SPDX-License-Identifier: LGPL-2.1-or-later
// Several right-hand sides at once, as the Delassus matrices and frequency sweeps need them, beside one after
// the other with the same factors. Usage: benchmark_batches [cells along an edge of the square] [of the cube]

#include <halfdof/inclusions/delassus.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/spectrum/frequency_response.h>

#include "piezoelectric_body.h"
#include "report.h"
#include "timing.h"
#include <algorithm>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::seconds;

namespace {

constexpr int n_directions = 64, n_inputs = 32;

/// The last displacements of the nodes farthest from the clamp, from the last one on.
template <int dim>
Index loaded_dof(int n_cells, int i) {
  const int n_nodes =
      dim == 2 ? (n_cells + 1) * (n_cells + 1) : (n_cells + 1) * (n_cells + 1) * (n_cells + 1);
  return (dim + 1) * (n_nodes - 1 - i * (n_cells + 1)) + dim - 1;
}

template <class Scalar, class Solve>
DenseMatrix<Scalar> one_by_one(const DenseMatrix<Scalar>& b, const Solve& solve) {
  DenseMatrix<Scalar> x(b.rows(), b.cols());
  for (Eigen::Index j = 0; j < b.cols(); ++j)
    x.col(j) = solve(b.col(j));
  return x;
}

template <int dim>
void delassus(const ReducedSystem<EigenEngine>& reduced, int n_cells, const std::string& model,
              benchmark::Report& report) {
  std::vector<Inclusion> contacts;
  for (int i = 0; i < n_directions; ++i)
    contacts.push_back(
        inclusion("contact " + std::to_string(i), std::make_shared<UnilateralContact>(0., 0.),
                  Direction({{loaded_dof<dim>(n_cells, i % (n_cells + 1)) - i / (n_cells + 1), 1.}})));
  const Inclusions<EigenEngine> inclusions(reduced, contacts);
  const DirectionMatrix& H = inclusions.H();
  const Index m = H.n_directions();
  MultiVector W, of_each;
  const double ours = seconds([&] {
    const DelassusMatrices matrices = delassus_matrices(inclusions);
    W = matrices.I + matrices.C + matrices.K;
  });
  const double theirs = seconds([&] {
    of_each = H.components(
        one_by_one<double>(H.columns(0, m), [&](const Vector& h) { return reduced.elimination().solve(h); }));
  });
  report.add({"Delassus matrices, " + std::to_string(m) + " directions", model, "one solve after the other",
              ours, theirs, 1.5, (W - of_each).norm() / of_each.norm()});
}

void sweep(const ReducedSystem<EigenEngine>& reduced, const std::string& model, benchmark::Report& report) {
  const Index n = reduced.free().dofs().n_local();
  ComplexMultiVector F = ComplexMultiVector::Zero(n, n_inputs);
  for (Index i = 0; i < n_inputs; ++i)
    F(n - 1 - i * (n / (2 * n_inputs)), i) = 1;
  const Complex s(0, 1.5);
  const FactorizationPtr<Complex> pencil = reduced.factorize_pencil(s * s, s, Complex(1));
  ComplexMultiVector x, of_each;
  pencil->solve(F);  // what a first batch prepares serves all of them
  const double ours = seconds([&] { x = pencil->solve(F); });
  const double theirs = seconds([&] {
    of_each = one_by_one<Complex>(F, [&](const ComplexMultiVector& f) { return pencil->solve(f); });
  });
  report.add({"a frequency, " + std::to_string(n_inputs) + " inputs", model, "one solve after the other",
              ours, theirs, 2., (x - of_each).norm() / of_each.norm()});
}

template <int dim>
void compare(int n_cells, benchmark::Report& report) {
  const auto reduced = reduce(benchmark::PiezoelectricBody<dim>(n_cells).assemble());
  const std::string model =
      std::to_string(dim) + "D, " + std::to_string(reduced.assembled().n_dofs()) + " DoFs";
  delassus<dim>(reduced, n_cells, model, report);
  sweep(reduced, model, report);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  benchmark::Report report;
  compare<2>(n_arguments > 1 ? std::atoi(arguments[1]) : 158, report);
  compare<3>(n_arguments > 2 ? std::atoi(arguments[2]) : 14, report);
}
