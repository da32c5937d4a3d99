// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/base/partition.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * Returns labels of the degrees of freedom of a DoFHandler: component, vertex and support point.
 *
 * - component: the component of the shape function. For shape functions with several nonzero components
 *   (Nedelec, Raviart-Thomas) the label is the name of their element. Missing names become "component 0", ...
 * - node: the number of the vertex for a DoF at a vertex, -1 for other DoFs. Node labels are absent for
 *   parallel::distributed triangulations, where vertex numbers differ between processes.
 * - point: the mapped support point; NaN for shape functions without support point (FE_DGP, for example).
 *
 * hp finite elements are supported. Rows of the matrices after the last DoF of the DoFHandler (springs and
 * masses that an application added) are labelled "added".
 *
 * @param dofs the rows of the matrices; the first n_dofs() indices are those of the DoFHandler
 * @throws InvalidInput if the DoFHandler has more DoFs than there are rows, or there are more component
 *     names than components
 */
template <int dim, int spacedim>
DoFLabels labels_from_dealii(const dealii::DoFHandler<dim, spacedim>& dof_handler,
                             const dealii::Mapping<dim, spacedim>& mapping, const Partition& dofs,
                             std::vector<std::string> component_names = {});

}  // namespace halfdof
