#include <halfdof/base/errors.h>
#include <halfdof/classification/kernel_coordinates.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/local_basis.h>
#include <halfdof/linear_algebra/logarithmic_scaling.h>
#include <halfdof/linear_algebra/one_process.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace halfdof {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Entries of S below this are rounding of zeros.
constexpr double rounding_of_coordinates = 1e-14;

/// Logarithms of the entries that are no rounding of zeros beside those of their row or column.
std::vector<LogarithmicEntry> nonzeros(const Sparse& A) {
  constexpr double rounding = 1e-15;
  Vector rows = Vector::Zero(A.rows()), columns = Vector::Zero(A.cols());
  std::vector<LogarithmicEntry> entries;
  const auto visit = [&](const auto& act) {
    for (Index j = 0; j < A.outerSize(); ++j)
      for (Sparse::InnerIterator entry(A, j); entry; ++entry)
        act(static_cast<Index>(entry.row()), j, std::abs(entry.value()));
  };
  visit([&](Index i, Index j, double size) {
    rows[i] = std::max(rows[i], size);
    columns[j] = std::max(columns[j], size);
  });
  visit([&](Index i, Index j, double size) {
    if (size > rounding * std::max(rows[i], columns[j]))
      entries.push_back({i, j, static_cast<float>(std::log2(size))});
  });
  return entries;
}

/// Powers of 1024 nearest to 2^logarithms, relative to the middle one: units differ by more, meshes do not.
Vector factors_of(const Vector& logarithms) {
  std::vector<double> sorted(logarithms.begin(), logarithms.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return logarithms.unaryExpr(
      [offset = *middle](double log) { return std::exp2(10 * std::round((log - offset) / 10)); });
}

/// Factors of equations and of DoFs by which units of both cancel; equal where the matrices are symmetric.
struct UnitFactors {
  Vector rows, columns;

  Sparse scaled(const Sparse& A) const { return rows.asDiagonal() * A * columns.asDiagonal(); }
};

UnitFactors unit_factors(const Sparse& M, const Sparse& C, const Sparse& K, bool is_symmetric) {
  constexpr Index max_iterations = 100;
  const auto n = static_cast<Index>(M.rows());
  if (n == 0) return {Vector(0), Vector(0)};
  LogarithmicScaling scaling =
      logarithmic_scaling(n, {{2, nonzeros(M)}, {1, nonzeros(C)}, {0, nonzeros(K)}}, max_iterations);
  if (is_symmetric) scaling.rows = scaling.columns = Vector(0.5 * (scaling.rows + scaling.columns));
  return {factors_of(scaling.rows), factors_of(scaling.columns)};
}

}  // namespace

template <class Engine>
KernelCoordinates<Engine> kernel_coordinates(const FreeSystem<Engine>& system, const KernelOptions& options) {
  const Partition& dofs = system.dofs();
  if (dofs.communicator().size() > 1)
    throw NotAvailable(
        "Kernels that no column shows are looked for on one process. Run the application on one process, or "
        "give "
        "the model coordinates in which its massless combinations are degrees of freedom.");
  const Index n = dofs.n_local();
  const Sparse given_M = entries_of<Engine>(system.M()), given_C = entries_of<Engine>(system.C());
  const UnitFactors units =
      unit_factors(given_M, given_C, entries_of<Engine>(system.K()), system.is_symmetric());
  const Sparse M = units.scaled(given_M), C = units.scaled(given_C);
  const LocalBasis of_mass = local_basis(M, column_norms(M), "M", options);
  const std::vector<Index> massless = of_mass.null();

  const Sparse J = unit_columns(massless, n);
  const Sparse of_massless = of_mass.S * J;
  const Vector sizes = Sparse(of_massless.cwiseAbs()).transpose() * column_norms(C);
  const LocalBasis of_damping = local_basis(C * of_massless, sizes, "C on the kernel of M", options);
  std::vector<DoFKind> kinds(static_cast<std::size_t>(system.assembled().dofs().n_local()),
                             DoFKind::constrained);
  const std::vector<Index>& free = system.places().local();
  for (const Index i : free)
    kinds[static_cast<std::size_t>(i)] = DoFKind::inertial;
  for (std::size_t k = 0; k < massless.size(); ++k)
    kinds[static_cast<std::size_t>(free[static_cast<std::size_t>(massless[k])])] =
        of_damping.is_null[k] ? DoFKind::algebraic : DoFKind::viscous;

  Sparse one(n, n);
  one.setIdentity();
  const Sparse turned = one + Sparse(J * Sparse(of_damping.S * J.transpose())) - Sparse(J * J.transpose());
  Sparse S = of_mass.S * turned;
  S.prune(1., rounding_of_coordinates);
  const auto in_units = [&](const Vector& of_dofs) {
    return matrix_from<Engine>(of_dofs.asDiagonal() * S * of_dofs.cwiseInverse().asDiagonal(), dofs, dofs);
  };
  return {system.in_coordinates(in_units(units.columns), in_units(units.columns.cwiseInverse()),
                                in_units(units.rows)),
          Classification(std::move(kinds), system.places(), {}, 0), of_mass.n_hidden, of_damping.n_hidden};
}

template KernelCoordinates<InstantiatedEngine> kernel_coordinates(const FreeSystem<InstantiatedEngine>&,
                                                                  const KernelOptions&);

}  // namespace halfdof
