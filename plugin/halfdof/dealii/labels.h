#pragma once

#include <halfdof/assembled/labels.h>
#include <halfdof/base/partition.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * What a DoFHandler knows of its degrees of freedom: component, vertex and support point.
 *
 * - component: that of the shape function; shape functions with several nonzero components (Nedelec,
 *   Raviart-Thomas) are called by their element. Missing names become "component 0", ...
 * - node: the vertex of a DoF at a vertex, -1 elsewhere; none at all on parallel::distributed triangulations,
 *   whose vertex numbers are known to one process alone.
 * - point: mapped support points; NaN for shape functions without one (FE_DGP, say).
 *
 * Works with hp finite elements. Rows of the matrices behind the last DoF of the DoFHandler (springs and
 * masses that an application added) are labelled "added".
 *
 * @param dofs The rows of the matrices; the first n_dofs() indices are those of the DoFHandler.
 * @throws InvalidInput if the DoFHandler has more DoFs than there are rows, or if more components are named
 * than it has
 */
template <int dim, int spacedim>
DoFLabels labels_from_dealii(const dealii::DoFHandler<dim, spacedim>& dof_handler,
                             const dealii::Mapping<dim, spacedim>& mapping, const Partition& dofs,
                             std::vector<std::string> component_names = {});

}  // namespace halfdof
