#include <halfdof/base/errors.h>
#include <halfdof/classification/kernel_coordinates.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/local_basis.h>
#include <halfdof/linear_algebra/one_process.h>

#include <utility>
#include <vector>

namespace halfdof {

template <class Engine>
KernelCoordinates<Engine> kernel_coordinates(const FreeSystem<Engine>& system, const KernelOptions& options) {
  using Sparse = Eigen::SparseMatrix<double>;
  const Partition& dofs = system.dofs();
  if (dofs.communicator().size() > 1)
    throw NotAvailable(
        "Kernels that no column shows are looked for on one process. Run the application on one process, or "
        "give "
        "the model coordinates in which its massless combinations are degrees of freedom.");
  const Index n = dofs.n_local();
  const Sparse M = entries_of<Engine>(system.M()), C = entries_of<Engine>(system.C());
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
  const Sparse S = of_mass.S * turned;
  return {system.in_coordinates(matrix_from<Engine>(S, dofs, dofs)),
          Classification(std::move(kinds), system.places(), {}, 0), of_mass.n_hidden, of_damping.n_hidden};
}

template KernelCoordinates<InstantiatedEngine> kernel_coordinates(const FreeSystem<InstantiatedEngine>&,
                                                                  const KernelOptions&);

}  // namespace halfdof
