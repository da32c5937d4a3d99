#include <halfdof/base/errors.h>
#include <halfdof/classification/kernel_coordinates.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <utility>
#include <vector>

namespace halfdof {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A change of basis, and which of the new columns are null: these flags stand at their places.
struct Basis {
  Sparse S;
  std::vector<bool> is_null;
  GlobalIndex n_hidden = 0;  ///< null ones that are no single columns
};

/// The first of a block's new columns take the places of its pivots, the others the rest.
std::vector<Index> places_of(const KernelBlock& block) {
  std::vector<Index> places = block.pivots;
  for (const Index column : block.columns)
    if (std::find(block.pivots.begin(), block.pivots.end(), column) == block.pivots.end())
      places.push_back(column);
  return places;
}

Vector column_norms(const Sparse& A) {
  Vector norms(A.cols());
  for (Index j = 0; j < norms.size(); ++j)
    norms[j] = A.col(j).norm();
  return norms;
}

/// @param sizes as kernel_blocks()
Basis basis_of(const Sparse& A, const Vector& sizes, const std::string& name, const KernelOptions& options) {
  const auto n = static_cast<std::size_t>(A.cols());
  Basis basis{Sparse(A.cols(), A.cols()), std::vector<bool>(n, false), 0};
  std::vector<bool> is_turned(n, false);
  std::vector<Eigen::Triplet<double>> entries;
  for (const KernelBlock& block : kernel_blocks(A, sizes, name, options)) {
    const std::vector<Index> places = places_of(block);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto column = static_cast<Index>(k);
      is_turned[static_cast<std::size_t>(places[k])] = true;
      basis.is_null[static_cast<std::size_t>(places[k])] = column < block.n_null;
      for (std::size_t i = 0; i < block.columns.size(); ++i)
        if (const double entry = block.Q(static_cast<Index>(i), column); entry != 0)
          entries.emplace_back(block.columns[i], places[k], entry);
    }
    if (places.size() > 1) basis.n_hidden += block.n_null;
  }
  for (std::size_t j = 0; j < n; ++j)
    if (!is_turned[j]) entries.emplace_back(static_cast<Index>(j), static_cast<Index>(j), 1.);
  basis.S.setFromTriplets(entries.begin(), entries.end());
  return basis;
}

/// A matrix of one process, both by local numbers.
Sparse local_entries(const OwnedRows& owned, const Partition& columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < owned.rows(); ++i)
    for (OwnedRows::InnerIterator entry(owned, i); entry; ++entry)
      entries.emplace_back(i, columns.local_index(entry.col()), entry.value());
  Sparse A(owned.rows(), columns.n_local());
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// The inverse.
OwnedRows owned_rows(const Sparse& A, const Partition& columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < A.cols(); ++j)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry)
      entries.emplace_back(static_cast<Index>(entry.row()), static_cast<Index>(columns.global_index(j)),
                           entry.value());
  OwnedRows owned(A.rows(), static_cast<Index>(columns.n_global()));
  owned.setFromTriplets(entries.begin(), entries.end());
  return owned;
}

/// Unit vectors, as columns.
Sparse placement(const std::vector<Index>& places, Index n) {
  std::vector<Eigen::Triplet<double>> ones;
  for (std::size_t k = 0; k < places.size(); ++k)
    ones.emplace_back(places[k], static_cast<Index>(k), 1.);
  Sparse J(n, static_cast<Index>(places.size()));
  J.setFromTriplets(ones.begin(), ones.end());
  return J;
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
  const Sparse M = local_entries(Engine::to_rows(system.M()), dofs),
               C = local_entries(Engine::to_rows(system.C()), dofs);
  const Basis of_mass = basis_of(M, column_norms(M), "M", options);
  std::vector<Index> massless;
  for (Index j = 0; j < n; ++j)
    if (of_mass.is_null[static_cast<std::size_t>(j)]) massless.push_back(j);

  const Sparse J = placement(massless, n);
  const Sparse of_massless = of_mass.S * J;
  const Vector sizes = Sparse(of_massless.cwiseAbs()).transpose() * column_norms(C);
  const Basis of_damping = basis_of(C * of_massless, sizes, "C on the kernel of M", options);
  std::vector<DoFKind> kinds(static_cast<std::size_t>(system.assembled().dofs().n_local()),
                             DoFKind::constrained);
  const std::vector<Index>& free = system.assembled().free().local();
  for (const Index i : free)
    kinds[static_cast<std::size_t>(i)] = DoFKind::inertial;
  for (std::size_t k = 0; k < massless.size(); ++k)
    kinds[static_cast<std::size_t>(free[static_cast<std::size_t>(massless[k])])] =
        of_damping.is_null[k] ? DoFKind::algebraic : DoFKind::viscous;

  Sparse one(n, n);
  one.setIdentity();
  const Sparse turned = one + Sparse(J * Sparse(of_damping.S * J.transpose())) - Sparse(J * J.transpose());
  const Sparse S = of_mass.S * turned;
  return {system.in_coordinates(Engine::from_rows(owned_rows(S, dofs), dofs, dofs)),
          Classification(std::move(kinds), system.assembled().free(), {}, 0), of_mass.n_hidden,
          of_damping.n_hidden};
}

template KernelCoordinates<InstantiatedEngine> kernel_coordinates(const FreeSystem<InstantiatedEngine>&,
                                                                  const KernelOptions&);

}  // namespace halfdof
