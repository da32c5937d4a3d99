// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/dealii/directions.h>
#include <halfdof/dealii/point_text.h>

#include <deal.II/base/quadrature.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/reference_cell.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace halfdof {

namespace {

using dealii::types::global_dof_index;

/// Returns dim - 1 unit vectors orthogonal to the normal and to each other.
template <int dim>
std::vector<dealii::Tensor<1, dim>> tangents_to(const dealii::Tensor<1, dim>& n) {
  std::vector<dealii::Tensor<1, dim>> tangents;
  if constexpr (dim == 2) {
    tangents.push_back(dealii::cross_product_2d(n));
  } else if constexpr (dim == 3) {
    // The first tangent is computed from the coordinate axis with the largest angle to the normal.
    unsigned int axis = 0;
    for (unsigned int k = 1; k < 3; ++k)
      if (std::abs(n[k]) < std::abs(n[axis]) - 1e-12) axis = k;
    dealii::Tensor<1, 3> e;
    e[axis] = 1;
    dealii::Tensor<1, 3> first = e - (e * n) * n;
    first /= first.norm();
    tangents = {first, dealii::cross_product_3d(n, first)};
  }
  return tangents;
}

/// Returns the coordinates of a support point as integers, so that equal support points of different base
/// elements compare equal in spite of rounding errors.
template <int dim>
std::array<long, dim> rounded_unit_point(const dealii::Point<dim>& unit) {
  std::array<long, dim> place;
  for (unsigned int k = 0; k < dim; ++k)
    place[k] = std::lround(1e8 * unit[k]);
  return place;
}

}  // namespace

/// A support point on the boundary, with integrals of its shape function N over the faces of this process or
/// of all processes.
template <int dim>
struct DealIIDirections<dim>::BoundaryNode {
  /// The DoF of each component of the displacement, or -1 if a component has no DoF at this point.
  std::array<GlobalIndex, dim> dofs;
  Point point;
  Vector normal_sum;   ///< integral of |N| n
  double measure = 0;  ///< integral of |N|
  double area = 0;     ///< integral of N

  static constexpr std::size_t n_numbers = 3 * dim + 2;

  /// Adds `weight` times the integrals of another node, or of this node on another face.
  void add(double weight, const BoundaryNode& other) {
    normal_sum += std::abs(weight) * other.normal_sum;
    measure += std::abs(weight) * other.measure;
    area += weight * other.area;
  }
};

/// Returns the support points of one face with their integrals over this face.
template <int dim>
std::vector<typename DealIIDirections<dim>::BoundaryNode> DealIIDirections<dim>::nodes_of_face(
    const Cell& cell, unsigned int face) const {
  const auto& fe = cell->get_fe();
  const auto quadrature =
      cell->reference_cell().face_reference_cell(face).template get_gauss_type_quadrature<dim - 1>(fe.degree +
                                                                                                   1);
  dealii::FEFaceValues<dim> values(
      mapping_, fe, quadrature,
      dealii::update_values | dealii::update_normal_vectors | dealii::update_JxW_values);
  values.reinit(cell, face);
  std::vector<global_dof_index> indices(fe.n_dofs_per_cell());
  cell->get_dof_indices(indices);

  BoundaryNode no_node;
  no_node.dofs.fill(-1);
  std::map<std::array<long, dim>, BoundaryNode> at_unit_point;
  for (unsigned int i = 0; i < indices.size(); ++i) {
    if (!fe.has_support_on_face(i, face) || !fe.is_primitive(i)) continue;
    const unsigned int component = fe.system_to_component_index(i).first;
    if (component < first_component_ || component >= first_component_ + dim) continue;
    const auto& [base, index_in_base] = fe.system_to_base_index(i);
    const auto& element = fe.base_element(base.first);
    if (!element.has_support_points()) continue;
    const Point unit = element.unit_support_point(index_in_base);
    BoundaryNode& node = at_unit_point.emplace(rounded_unit_point<dim>(unit), no_node).first->second;
    node.dofs[component - first_component_] = static_cast<GlobalIndex>(indices[i]);
    node.point = mapping_.transform_unit_to_real_cell(cell, unit);
    if (component != first_component_) continue;
    for (unsigned int q = 0; q < quadrature.size(); ++q) {
      const double N = values.shape_value(i, q) * values.JxW(q);
      node.area += N;
      node.measure += std::abs(N);
      node.normal_sum += std::abs(N) * values.normal_vector(q);
    }
  }
  std::vector<BoundaryNode> nodes;
  for (const auto& entry : at_unit_point)
    nodes.push_back(entry.second);
  return nodes;
}

/// Adds the support points of all boundary faces of this process, with their integrals.
template <int dim>
void DealIIDirections<dim>::collect_boundary_nodes(dealii::types::boundary_id id,
                                                   std::map<GlobalIndex, BoundaryNode>& nodes) const {
  for (const auto& cell : dof_handler_.active_cell_iterators()) {
    if (!cell->is_locally_owned() || !cell->at_boundary()) continue;
    for (const unsigned int face : cell->face_indices()) {
      if (!cell->face(face)->at_boundary() || cell->face(face)->boundary_id() != id) continue;
      for (const BoundaryNode& node : nodes_of_face(cell, face)) {
        const auto [known, is_new] = nodes.emplace(node.dofs[0], node);
        if (!is_new) known->second.add(1., node);
      }
    }
  }
}

/// Returns all support points of a boundary, with integrals over the faces of all processes.
template <int dim>
std::vector<typename DealIIDirections<dim>::BoundaryNode> DealIIDirections<dim>::boundary_nodes(
    dealii::types::boundary_id id) const {
  std::map<GlobalIndex, BoundaryNode> local_nodes;
  collect_boundary_nodes(id, local_nodes);
  std::vector<double> numbers;
  for (const auto& [dof, node] : local_nodes) {
    for (const GlobalIndex component : node.dofs)
      numbers.push_back(static_cast<double>(component));
    for (unsigned int k = 0; k < dim; ++k)
      numbers.push_back(node.point[k]);
    for (unsigned int k = 0; k < dim; ++k)
      numbers.push_back(node.normal_sum[k]);
    numbers.insert(numbers.end(), {node.measure, node.area});
  }

  const std::vector<double> all = gather(*communicator_, numbers);
  std::map<GlobalIndex, BoundaryNode> nodes;
  for (std::size_t first = 0; first < all.size(); first += BoundaryNode::n_numbers) {
    const double* next = all.data() + first;
    BoundaryNode node;
    for (GlobalIndex& dof : node.dofs)
      dof = static_cast<GlobalIndex>(*next++);
    for (unsigned int k = 0; k < dim; ++k)
      node.point[k] = *next++;
    for (unsigned int k = 0; k < dim; ++k)
      node.normal_sum[k] = *next++;
    node.measure = *next++;
    node.area = *next;
    const auto [known, is_new] = nodes.emplace(node.dofs[0], node);
    if (!is_new) known->second.add(1., node);
  }
  std::vector<BoundaryNode> sorted;
  for (const auto& entry : nodes)
    sorted.push_back(entry.second);
  std::sort(sorted.begin(), sorted.end(), [](const BoundaryNode& a, const BoundaryNode& b) {
    return std::lexicographical_compare(a.point.begin_raw(), a.point.end_raw(), b.point.begin_raw(),
                                        b.point.end_raw());
  });
  return sorted;
}

template <int dim>
void DealIIDirections<dim>::check_boundary_nodes(const std::vector<BoundaryNode>& nodes,
                                                 dealii::types::boundary_id id) const {
  if (nodes.empty())
    throw InvalidInput(
        "No face of the mesh has the boundary id " + std::to_string(id) +
        " and support points of the displacement. Give a boundary id of the mesh, and use a Lagrange "
        "element for the displacement.");
  for (const BoundaryNode& node : nodes) {
    const auto missing = std::find(node.dofs.begin(), node.dofs.end(), -1);
    if (missing == node.dofs.end()) continue;
    std::string elements;
    for (unsigned int k = 0; k < dof_handler_.get_fe_collection().size(); ++k)
      elements += (k == 0 ? "" : ", ") + dof_handler_.get_fe_collection()[k].get_name();
    throw InvalidInput("Component " + std::to_string(missing - node.dofs.begin()) +
                       " of the displacement has no DoF at the support point " + text_of(node.point) +
                       " of another component; the finite element is " + elements +
                       ". Use the same Lagrange element for all components of the displacement.");
  }
}

/// Removes support points that cannot move, and hanging nodes, whose areas are added to the areas of the
/// points on which they depend.
template <int dim>
std::vector<typename DealIIDirections<dim>::BoundaryNode> DealIIDirections<dim>::without_dependent_nodes(
    std::vector<BoundaryNode> nodes) const {
  std::vector<GlobalIndex> dofs;
  std::map<GlobalIndex, std::size_t> node_of;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    for (const GlobalIndex dof : nodes[k].dofs) {
      dofs.push_back(dof);
      node_of[dof] = k;
    }
  const auto masters = masters_of(dofs);
  const auto is_redundant = [&](GlobalIndex dof) {
    const auto found = masters.find(dof);
    return found != masters.end() &&
           std::all_of(found->second.begin(), found->second.end(),
                       [&](const WeightedDoF& master) { return node_of.count(master.dof) > 0; });
  };

  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const BoundaryNode& node = nodes[k];
    if (!std::all_of(node.dofs.begin(), node.dofs.end(), is_redundant)) {
      kept.push_back(k);
      continue;
    }
    // The components of a hanging node may have different constraints. The area is distributed by the largest
    // weight of each point among the components.
    std::map<std::size_t, double> weights;
    for (unsigned int c = 0; c < dim; ++c)
      for (const WeightedDoF& master : masters.at(node.dofs[c])) {
        const std::size_t other = node_of.at(master.dof);
        double& weight_of_master = weights[other];
        if (nodes[other].dofs[c] == master.dof && std::abs(master.weight) > std::abs(weight_of_master))
          weight_of_master = master.weight;
      }
    for (const auto& [other, weight_of_master] : weights)
      nodes[other].add(weight_of_master, node);
  }
  std::vector<BoundaryNode> result;
  for (const std::size_t k : kept)
    result.push_back(nodes[k]);
  return result;
}

template <int dim>
bool DealIIDirections<dim>::cannot_move(const Entries& entries) const {
  std::vector<GlobalIndex> dofs;
  for (const WeightedDoF& entry : entries)
    dofs.push_back(entry.dof);
  const auto masters = masters_of(dofs);
  return std::all_of(dofs.begin(), dofs.end(), [&](GlobalIndex dof) {
    const auto found = masters.find(dof);
    return found != masters.end() && found->second.empty();
  });
}

template <int dim>
BoundaryPoint<dim> DealIIDirections<dim>::boundary_point(const BoundaryNode& node) const {
  if (node.normal_sum.norm() <= 1e-12 * node.measure)
    throw InvalidInput(
        "The normals of the faces that meet at " + text_of(node.point) +
        " cancel, because opposite sides of the body meet at this point. Give both sides different "
        "boundary ids.");
  Vector normal = node.normal_sum / node.normal_sum.norm();
  // Small components are set to zero, so that rounding errors do not add DoFs to a direction.
  for (unsigned int k = 0; k < dim; ++k)
    if (std::abs(normal[k]) < 1e-12) normal[k] = 0;
  const auto entries_along = [&](const Vector& d) {
    Entries entries;
    for (unsigned int c = 0; c < dim; ++c)
      if (d[c] != 0) entries.push_back({node.dofs[c], d[c]});
    return entries;
  };
  BoundaryPoint<dim> point{node.point, normal, {}, node.area, of_dofs(entries_along(-normal)), {}};
  for (const Vector& tangent : tangents_to<dim>(normal)) {
    const Entries entries = entries_along(tangent);
    if (cannot_move(entries)) continue;
    point.tangents.push_back(tangent);
    point.along.push_back(of_dofs(entries));
  }
  return point;
}

template <int dim>
std::vector<BoundaryPoint<dim>> DealIIDirections<dim>::on_boundary(dealii::types::boundary_id id) const {
  std::vector<BoundaryNode> nodes = boundary_nodes(id);
  check_boundary_nodes(nodes, id);
  std::vector<BoundaryPoint<dim>> points;
  for (const BoundaryNode& node : without_dependent_nodes(std::move(nodes)))
    points.push_back(boundary_point(node));
  if (points.empty())
    throw InvalidInput(
        "The AffineConstraints prescribe the displacements of all points of the boundary with id " +
        std::to_string(id) + ", so that no point can move. Give the id of a boundary that can move.");
  return points;
}

template <int dim>
std::vector<GlobalIndex> DealIIDirections<dim>::contact_dofs(dealii::types::boundary_id id) const {
  std::set<GlobalIndex> dofs;
  const auto add = [&](const Direction& direction) {
    for (const WeightedDoF& entry : direction.entries())
      dofs.insert(entry.dof);
  };
  for (const BoundaryPoint<dim>& point : on_boundary(id)) {
    add(point.inward);
    for (const Direction& tangent : point.along)
      add(tangent);
  }
  return {dofs.begin(), dofs.end()};
}

template std::vector<BoundaryPoint<2>> DealIIDirections<2>::on_boundary(dealii::types::boundary_id) const;
template std::vector<GlobalIndex> DealIIDirections<2>::contact_dofs(dealii::types::boundary_id) const;
template std::vector<BoundaryPoint<3>> DealIIDirections<3>::on_boundary(dealii::types::boundary_id) const;
template std::vector<GlobalIndex> DealIIDirections<3>::contact_dofs(dealii::types::boundary_id) const;

}  // namespace halfdof
