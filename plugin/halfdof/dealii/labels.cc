// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/dealii/labels.h>

#include <deal.II/distributed/tria_base.h>
#include <deal.II/fe/fe.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

using dealii::types::global_dof_index;

/// Returns the index of a name in the list, and adds the name if it is new.
Index index_of(const std::string& name, std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) names.push_back(name);
  return static_cast<Index>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Returns the component of each shape function of an element, as an index into the names.
template <int dim, int spacedim>
std::vector<Index> components_of(const dealii::FiniteElement<dim, spacedim>& fe,
                                 std::vector<std::string>& names) {
  std::vector<Index> components(fe.n_dofs_per_cell());
  for (unsigned int i = 0; i < components.size(); ++i)
    components[i] = fe.is_primitive(i)
                        ? static_cast<Index>(fe.system_to_component_index(i).first)
                        : index_of(fe.base_element(fe.system_to_base_index(i).first.first).get_name(), names);
  return components;
}

/// Returns the support point of a shape function on the mapped cell, or NaN if the shape function has no
/// support point.
template <int dim, int spacedim>
std::array<double, 3> support_point(
    const dealii::FiniteElement<dim, spacedim>& fe, unsigned int shape_function,
    const dealii::Mapping<dim, spacedim>& mapping,
    const typename dealii::Triangulation<dim, spacedim>::cell_iterator& cell) {
  const auto& [base, index_in_base] = fe.system_to_base_index(shape_function);
  const auto& element = fe.base_element(base.first);
  std::array<double, 3> point{0., 0., 0.};
  if (element.has_support_points()) {
    const auto mapped = mapping.transform_unit_to_real_cell(cell, element.unit_support_point(index_in_base));
    std::copy(mapped.begin_raw(), mapped.end_raw(), point.begin());
  } else {
    point.fill(std::numeric_limits<double>::quiet_NaN());
  }
  return point;
}

/// Returns whether vertices have the same numbers on all processes.
template <int dim, int spacedim>
bool has_global_vertices(const dealii::Triangulation<dim, spacedim>& triangulation) {
  return !dynamic_cast<const dealii::parallel::DistributedTriangulationBase<dim, spacedim>*>(&triangulation);
}

}  // namespace

template <int dim, int spacedim>
DoFLabels labels_from_dealii(const dealii::DoFHandler<dim, spacedim>& dof_handler,
                             const dealii::Mapping<dim, spacedim>& mapping, const Partition& dofs,
                             std::vector<std::string> component_names) {
  const auto n_from_handler = static_cast<GlobalIndex>(dof_handler.n_dofs());
  const unsigned int n_components = dof_handler.get_fe_collection().n_components();
  if (n_from_handler > dofs.n_global() || component_names.size() > n_components)
    throw InvalidInput(
        "The DoFHandler has " + std::to_string(n_from_handler) + " degrees of freedom in " +
        std::to_string(n_components) + " components, but the matrices have " +
        std::to_string(dofs.n_global()) + " rows and " + std::to_string(component_names.size()) +
        " component names were given. Give the DoFHandler with which the matrices were assembled, and "
        "at most one name for each component.");
  for (auto c = static_cast<unsigned int>(component_names.size()); c < n_components; ++c)
    component_names.push_back("component " + std::to_string(c));

  const auto n_local = static_cast<std::size_t>(dofs.n_local());
  DoFLabels labels;
  labels.dimension = spacedim;
  labels.component.assign(n_local, -1);
  labels.point.assign(n_local, {NAN, NAN, NAN});
  const bool number_vertices = has_global_vertices(dof_handler.get_triangulation());
  if (number_vertices) labels.node.assign(n_local, -1);

  // Every process collects the names of all elements, so that the lists of names are equal.
  const auto& elements = dof_handler.get_fe_collection();
  std::vector<std::vector<Index>> components;
  for (unsigned int e = 0; e < elements.size(); ++e)
    components.push_back(components_of(elements[e], component_names));

  std::vector<global_dof_index> dof_indices;
  for (const auto& cell : dof_handler.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    const auto& fe = cell->get_fe();
    dof_indices.resize(fe.n_dofs_per_cell());
    cell->get_dof_indices(dof_indices);
    for (unsigned int i = 0; i < dof_indices.size(); ++i) {
      const Index local = dofs.local_index(static_cast<GlobalIndex>(dof_indices[i]));
      if (local < 0 || labels.component[static_cast<std::size_t>(local)] >= 0) continue;
      labels.component[static_cast<std::size_t>(local)] = components[cell->active_fe_index()][i];
      labels.point[static_cast<std::size_t>(local)] = support_point(fe, i, mapping, cell);
    }
    for (const unsigned int vertex : cell->vertex_indices())
      for (unsigned int i = 0; number_vertices && i < fe.n_dofs_per_vertex(); ++i) {
        const auto dof = cell->vertex_dof_index(vertex, i, cell->active_fe_index());
        const Index local = dofs.local_index(static_cast<GlobalIndex>(dof));
        if (local >= 0)
          labels.node[static_cast<std::size_t>(local)] = static_cast<GlobalIndex>(cell->vertex_index(vertex));
      }
  }
  const auto is_added = [](Index component) { return component < 0; };
  const bool some_added = std::any_of(labels.component.begin(), labels.component.end(), is_added);
  if (dofs.communicator().any(some_added))
    std::replace_if(labels.component.begin(), labels.component.end(), is_added,
                    index_of("added", component_names));
  labels.component_names = std::move(component_names);
  return labels;
}

#define INSTANTIATE(dim, spacedim)                                                               \
  template DoFLabels labels_from_dealii(const dealii::DoFHandler<dim, spacedim>&,                \
                                        const dealii::Mapping<dim, spacedim>&, const Partition&, \
                                        std::vector<std::string>);

INSTANTIATE(1, 1)
INSTANTIATE(1, 2)
INSTANTIATE(1, 3)
INSTANTIATE(2, 2)
INSTANTIATE(2, 3)
INSTANTIATE(3, 3)
#undef INSTANTIATE

}  // namespace halfdof
