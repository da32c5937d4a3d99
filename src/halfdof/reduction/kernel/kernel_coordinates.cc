// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/unit_factors.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>
#include <halfdof/linear_algebra/ranks/kernel_blocks.h>
#include <halfdof/reduction/kernel/kernel_coordinates.h>

#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Entries of S below this number count as zeros with rounding errors.
constexpr double negligible_coordinate = 1e-14;

/// Returns for each nonzero mass the largest mass in its part of the model, where no entry couples
/// different parts. A mass that is as small as the rounding error of the largest mass counts as rounding,
/// even if it is the only entry of its column.
Vector largest_mass_of_part(const Vector& masses, const Sparse& all) {
  Vector largest = Vector::Zero(masses.size());
  for (const std::vector<Index>& part : connected_columns(all)) {
    const double of_part = masses(part).maxCoeff();
    for (const Index j : part)
      if (masses[j] > 0) largest[j] = of_part;
  }
  return largest;
}

}  // namespace

template <class Engine>
Attempt<KernelCoordinates<Engine>> kernel_coordinates(const FreeSystem<Engine>& system,
                                                      const KernelOptions& options) {
  const Partition& dofs = system.dofs();
  if (dofs.communicator().size() > 1)
    return Refusal(
        NotAvailable("Kernels of M and C that are not spanned by null columns are computed on one process "
                     "only. Run the application on one process, or choose coordinates in which every "
                     "massless combination of degrees of freedom is a single degree of freedom."));
  const Index n = dofs.n_local();
  const Sparse given_M = entries_of<Engine>(system.M()), given_C = entries_of<Engine>(system.C());
  const Sparse given_K = entries_of<Engine>(system.K());
  const UnitFactors units = unit_factors(given_M, given_C, given_K);
  const Sparse M = units.scaled(given_M), C = units.scaled(given_C), K = units.scaled(given_K);
  const Vector masses = column_norms(M);
  const ColumnCompression of_mass =
      column_compression(M, largest_mass_of_part(masses, M.cwiseAbs() + C.cwiseAbs() + K.cwiseAbs()), "M",
                         EntryOrigin::given, options);
  const std::vector<Index> massless = of_mass.null();

  const Sparse J = unit_columns(massless, n);
  const Sparse of_massless = of_mass.S * J;
  const Vector sizes = Sparse(of_massless.cwiseAbs()).transpose() * column_norms(C);
  const ColumnCompression of_damping =
      column_compression(C * of_massless, sizes, "C on the kernel of M", EntryOrigin::computed, options);
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
  const Sparse rotation = one + Sparse(J * Sparse(of_damping.S * J.transpose())) - Sparse(J * J.transpose());
  Sparse S = of_mass.S * rotation;
  S.prune(1., negligible_coordinate);
  const auto in_units = [&](const Vector& of_dofs) {
    return matrix_from<Engine>(of_dofs.asDiagonal() * S * of_dofs.cwiseInverse().asDiagonal(), dofs, dofs);
  };
  return KernelCoordinates<Engine>{
      system.in_coordinates(in_units(units.columns), in_units(units.columns.cwiseInverse()),
                            in_units(units.rows)),
      Classification(std::move(kinds), system.places(), {}, 0), of_mass.n_hidden, of_damping.n_hidden};
}

template Attempt<KernelCoordinates<InstantiatedEngine>> kernel_coordinates(
    const FreeSystem<InstantiatedEngine>&, const KernelOptions&);

}  // namespace halfdof::internal
