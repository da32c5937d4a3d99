// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/memory/structure_checks.h>

#include <cmath>
#include <string>

namespace halfdof::internal {

template <class Engine>
void check_has_memory(const Inclusions<Engine>& inclusions, const MultiVector& loads) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  if (reduced.communicator().size() > 1)
    throw NotAvailable("The modes of a structure with contacts are computed on one process only, but " +
                       std::to_string(reduced.communicator().size()) +
                       " processes were started. Start one process.");
  if (reduced.depends_on_state())
    throw NotAvailable(
        "Only a linear system has a memory kernel, but this system has forces that depend on its state. "
        "Linearize the system by about(), or describe these forces by laws of inclusions.");
  if (reduced.assembled().prescribed().moves() && !reduced.free().needed_prescribed().empty())
    throw NotAvailable(
        "A prescribed motion of constrained DoFs loads the system, but the memory kernel does not include "
        "prescribed motions. Replace the prescribed motion by loads, or integrate the full model.");
  if (reduced.assembled().right_sides().moves())
    throw NotAvailable(
        "The right sides of the constraints load the system, but the memory kernel does not include them. "
        "Measure displacements from a configuration in which the right sides are zero, or integrate the full "
        "model.");
  if (inclusions.n_directions() == 0)
    throw InvalidInput(
        "The structure has no inclusion, but a memory kernel needs at least one contact. Add an "
        "inclusion.");
  if (reduced.assembled().has_load() && loads.cols() == 0)
    throw InvalidInput(
        "The system has a load, but its function of time does not define the number of scalar loads and the "
        "DoFs on which they act. Give a column of forces for each scalar load here, and the functions of "
        "time to the integrator.");
  const GlobalIndex n_dofs = reduced.assembled().n_dofs();
  if (loads.cols() > 0 && loads.rows() != n_dofs)
    throw InvalidInput("The matrix of forces for unit loads has " + std::to_string(loads.rows()) +
                       " rows, but the model has " + std::to_string(n_dofs) +
                       " assembled DoFs. Give one row for each DoF.");
}

namespace {

template <class Engine>
MultiVector displacements_along_others(const ReducedSystem<Engine>& reduced,
                                       const std::vector<Direction>& others, const MultiVector& q,
                                       bool cancels) {
  MultiVector assembled =
      MultiVector::Zero(static_cast<Eigen::Index>(reduced.assembled().n_dofs()), q.cols());
  reduced.free().add_to(q, assembled);
  MultiVector components = MultiVector::Zero(static_cast<Eigen::Index>(others.size()), q.cols());
  for (std::size_t j = 0; j < others.size(); ++j)
    for (const WeightedDoF& entry : others[j].entries())
      components.row(static_cast<Eigen::Index>(j)) += (cancels ? entry.weight : std::abs(entry.weight)) *
                                                      assembled.row(static_cast<Eigen::Index>(entry.dof));
  return components;
}

}  // namespace

template <class Engine>
MultiVector displacement_components(const Inclusions<Engine>& inclusions,
                                    const std::vector<Direction>& others, const MultiVector& q) {
  const MultiVector of_inclusions = inclusions.H().components(q);
  return others.empty()
             ? of_inclusions
             : stacked({of_inclusions, displacements_along_others(inclusions.reduced(), others, q, true)});
}

template <class Engine>
MultiVector displacement_components_with_exact_zeros(const Inclusions<Engine>& inclusions,
                                                     const std::vector<Direction>& others,
                                                     const MultiVector& q) {
  constexpr double rounding = 1e-10;  // limit of rounding errors, including the errors of linear solves
  const MultiVector H = inclusions.H().columns(0, inclusions.n_directions()).cwiseAbs(), size = q.cwiseAbs(),
                    components = displacement_components(inclusions, others, q),
                    terms = stacked({H.transpose() * size,
                                     displacements_along_others(inclusions.reduced(), others, size, false)});
  return (components.array().abs() > rounding * terms.array()).select(components, 0.);
}

template <class Engine>
MultiVector unit_forces(const Inclusions<Engine>& inclusions, const MultiVector& loads) {
  const MultiVector of_reactions = inclusions.H().columns(0, inclusions.n_directions());
  if (loads.cols() == 0) return of_reactions;
  return side_by_side({of_reactions, inclusions.reduced().free().restrict_forces(loads)});
}

template void check_has_memory(const Inclusions<InstantiatedEngine>&, const MultiVector&);
template MultiVector displacement_components(const Inclusions<InstantiatedEngine>&,
                                             const std::vector<Direction>&, const MultiVector&);
template MultiVector displacement_components_with_exact_zeros(const Inclusions<InstantiatedEngine>&,
                                                              const std::vector<Direction>&,
                                                              const MultiVector&);
template MultiVector unit_forces(const Inclusions<InstantiatedEngine>&, const MultiVector&);

}  // namespace halfdof::internal
