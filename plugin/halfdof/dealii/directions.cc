#include <halfdof/base/errors.h>
#include <halfdof/dealii/directions.h>

#include <deal.II/base/quadrature.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/reference_cell.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace halfdof {

namespace {

using dealii::types::global_dof_index;

/// Shape functions at support points are zero or one up to rounding.
double without_rounding(double value) {
  for (const double exact : {0., 1.})
    if (std::abs(value - exact) < 1e-12) return exact;
  return value;
}

/// Where a point lies in a cell, if it does.
template <int dim>
std::optional<dealii::Point<dim>> unit_point(
    const dealii::Mapping<dim>& mapping, const typename dealii::DoFHandler<dim>::active_cell_iterator& cell,
    const dealii::Point<dim>& x) {
  // Curved faces may leave the box of the vertices.
  dealii::BoundingBox<dim> box = cell->bounding_box();
  box.extend(0.5 * cell->diameter());
  if (!box.point_inside(x)) return std::nullopt;
  try {
    const dealii::Point<dim> unit = mapping.transform_real_to_unit_cell(cell, x);
    if (cell->reference_cell().contains_point(unit, 1e-10)) return unit;
  } catch (const typename dealii::Mapping<dim>::ExcTransformationFailed&) {
  }
  return std::nullopt;
}

/// dim - 1 unit vectors that are orthonormal to the normal.
template <int dim>
std::vector<dealii::Tensor<1, dim>> tangents_to(const dealii::Tensor<1, dim>& n) {
  std::vector<dealii::Tensor<1, dim>> tangents;
  if constexpr (dim == 2) {
    tangents.push_back(dealii::cross_product_2d(n));
  } else if constexpr (dim == 3) {
    // Start from the axis that the normal is least aligned with.
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

/// Support points of several base elements, told apart by their rounded coordinates.
template <int dim>
std::array<long, dim> place_of(const dealii::Point<dim>& unit) {
  std::array<long, dim> place;
  for (unsigned int k = 0; k < dim; ++k)
    place[k] = std::lround(1e8 * unit[k]);
  return place;
}

template <int dim>
std::string text_of(const dealii::Point<dim>& x) {
  std::ostringstream text;
  text << '(' << x[0];
  for (unsigned int k = 1; k < dim; ++k)
    text << ", " << x[k];
  text << ')';
  return text.str();
}

}  // namespace

/// A support point on the boundary, with sums over the faces of this process or of all.
template <int dim>
struct DealIIDirections<dim>::FaceNode {
  std::array<GlobalIndex, dim> dofs;  ///< by component of the displacement; -1 where it has none here
  Point point;
  Vector normal_sum;   ///< integral of |N| n
  double measure = 0;  ///< integral of |N|
  double area = 0;     ///< integral of N

  static constexpr std::size_t n_numbers = 3 * dim + 2;

  /// Adds the integrals of another shape function, or of this one on another face.
  void add(double weight, const FaceNode& other) {
    normal_sum += std::abs(weight) * other.normal_sum;
    measure += std::abs(weight) * other.measure;
    area += weight * other.area;
  }
};

template <int dim>
DealIIDirections<dim>::DealIIDirections(const dealii::DoFHandler<dim>& dof_handler,
                                        const dealii::Mapping<dim>& mapping,
                                        const dealii::AffineConstraints<double>& constraints,
                                        const Partition& dofs, unsigned int first_component)
    : dof_handler_(dof_handler),
      mapping_(mapping),
      constraints_(constraints),
      communicator_(dofs.shared_communicator()),
      first_component_(first_component) {
  const unsigned int n_components = dof_handler.get_fe_collection().n_components();
  if (first_component + dim > n_components)
    throw InvalidInput("The displacement needs " + std::to_string(dim) + " components from component " +
                       std::to_string(first_component) + " on, but the finite element has only " +
                       std::to_string(n_components) + ". Give the first component of the displacement.");
  if (communicator_->any(!constraints.is_closed()))
    throw InvalidInput(
        "The AffineConstraints are not closed: chains of constraints are not resolved yet. Call close() on "
        "them, as before the assembly.");
}

/// The entries d . N_i(x), found on one process and known to all.
template <int dim>
std::vector<WeightedDoF> DealIIDirections<dim>::entries_at(const Point& x, const Vector& d) const {
  std::vector<double> found;
  for (const auto& cell : dof_handler_.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    const std::optional<Point> unit = unit_point<dim>(mapping_, cell, x);
    if (!unit) continue;
    const auto& fe = cell->get_fe();
    std::vector<global_dof_index> indices(fe.n_dofs_per_cell());
    cell->get_dof_indices(indices);
    for (unsigned int i = 0; i < indices.size(); ++i) {
      double weight = 0;
      for (unsigned int c = 0; c < dim; ++c)
        weight += d[c] * without_rounding(fe.shape_value_component(i, *unit, first_component_ + c));
      if (weight != 0) found.insert(found.end(), {static_cast<double>(indices[i]), weight});
    }
    break;
  }
  // Several processes own a cell that touches the point: the first one's entries serve.
  const bool is_here = !found.empty();
  const bool is_before = communicator_->sum_before(is_here ? 1 : 0) > 0;
  if (is_before) found.clear();
  const std::vector<double> all = gather(*communicator_, found);
  if (all.empty())
    throw InvalidInput(
        "The point " + text_of(x) +
        " lies in no cell of the mesh, or the vector of its direction is zero. Choose a point inside "
        "the mesh or on its boundary.");
  std::vector<WeightedDoF> entries;
  for (std::size_t k = 0; k < all.size(); k += 2)
    entries.push_back({static_cast<GlobalIndex>(all[k]), all[k + 1]});
  return entries;
}

/// What the constrained ones among some DoFs follow, from whichever processes know it.
template <int dim>
std::map<GlobalIndex, std::vector<WeightedDoF>> DealIIDirections<dim>::masters_of(
    const std::vector<GlobalIndex>& dofs) const {
  const dealii::IndexSet& owned = dof_handler_.locally_owned_dofs();
  std::vector<double> here;
  for (const GlobalIndex dof : dofs) {
    const auto line = static_cast<global_dof_index>(dof);
    if (line >= dof_handler_.n_dofs() || !owned.is_element(line) || !constraints_.is_constrained(line))
      continue;
    const auto& entries = *constraints_.get_constraint_entries(line);
    here.insert(here.end(), {static_cast<double>(dof), static_cast<double>(entries.size())});
    for (const auto& [master, weight] : entries)
      here.insert(here.end(), {static_cast<double>(master), weight});
  }
  const std::vector<double> all = gather(*communicator_, here);
  std::map<GlobalIndex, std::vector<WeightedDoF>> masters;
  for (std::size_t k = 0; k < all.size();) {
    std::vector<WeightedDoF>& of_dof = masters[static_cast<GlobalIndex>(all[k])];
    const auto n = static_cast<std::size_t>(all[k + 1]);
    of_dof.clear();
    for (std::size_t i = 0; i < n; ++i)
      of_dof.push_back({static_cast<GlobalIndex>(all[k + 2 + 2 * i]), all[k + 3 + 2 * i]});
    k += 2 + 2 * n;
  }
  return masters;
}

/// The weight of a constrained DoF goes to those it follows, and stays with it for its prescribed part.
template <int dim>
Direction DealIIDirections<dim>::of_dofs(const std::vector<WeightedDoF>& entries) const {
  std::vector<GlobalIndex> dofs;
  for (const WeightedDoF& entry : entries)
    dofs.push_back(entry.dof);
  const auto masters = masters_of(dofs);
  Entries all = entries;
  for (const WeightedDoF& entry : entries)
    if (const auto found = masters.find(entry.dof); found != masters.end())
      for (const WeightedDoF& master : found->second)
        all.push_back({master.dof, entry.weight * master.weight});
  return Direction(std::move(all));
}

template <int dim>
Direction DealIIDirections<dim>::at_point(const Point& x, const Vector& d) const {
  return of_dofs(entries_at(x, d));
}

template <int dim>
Direction DealIIDirections<dim>::relative(const Point& a, const Point& b, const Vector& d) const {
  return combine(1., at_point(a, d), -1., at_point(b, d));
}

/// Adds what the faces of this process contribute.
template <int dim>
void DealIIDirections<dim>::collect_faces(dealii::types::boundary_id id,
                                          std::map<GlobalIndex, FaceNode>& nodes) const {
  FaceNode no_node;
  no_node.dofs.fill(-1);
  for (const auto& cell : dof_handler_.active_cell_iterators()) {
    if (!cell->is_locally_owned() || !cell->at_boundary()) continue;
    const auto& fe = cell->get_fe();
    std::vector<global_dof_index> indices(fe.n_dofs_per_cell());
    cell->get_dof_indices(indices);
    for (const unsigned int face : cell->face_indices()) {
      if (!cell->face(face)->at_boundary() || cell->face(face)->boundary_id() != id) continue;
      const auto quadrature =
          cell->reference_cell().face_reference_cell(face).template get_gauss_type_quadrature<dim - 1>(
              fe.degree + 1);
      dealii::FEFaceValues<dim> values(
          mapping_, fe, quadrature,
          dealii::update_values | dealii::update_normal_vectors | dealii::update_JxW_values);
      values.reinit(cell, face);

      std::map<std::array<long, dim>, FaceNode> at_face;
      for (unsigned int i = 0; i < indices.size(); ++i) {
        if (!fe.has_support_on_face(i, face) || !fe.is_primitive(i)) continue;
        const unsigned int component = fe.system_to_component_index(i).first;
        if (component < first_component_ || component >= first_component_ + dim) continue;
        const auto& [base, index_in_base] = fe.system_to_base_index(i);
        const auto& element = fe.base_element(base.first);
        if (!element.has_support_points()) continue;
        const Point unit = element.unit_support_point(index_in_base);
        FaceNode& node = at_face.emplace(place_of<dim>(unit), no_node).first->second;
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
      for (const auto& [place, node] : at_face) {
        const auto [known, is_new] = nodes.emplace(node.dofs[0], node);
        if (!is_new) known->second.add(1., node);
      }
    }
  }
}

/// All nodes of a boundary, summed over the processes.
template <int dim>
std::vector<typename DealIIDirections<dim>::FaceNode> DealIIDirections<dim>::face_nodes(
    dealii::types::boundary_id id) const {
  std::map<GlobalIndex, FaceNode> mine;
  collect_faces(id, mine);
  std::vector<double> numbers;
  for (const auto& [dof, node] : mine) {
    for (const GlobalIndex component : node.dofs)
      numbers.push_back(static_cast<double>(component));
    for (unsigned int k = 0; k < dim; ++k)
      numbers.push_back(node.point[k]);
    for (unsigned int k = 0; k < dim; ++k)
      numbers.push_back(node.normal_sum[k]);
    numbers.insert(numbers.end(), {node.measure, node.area});
  }

  const std::vector<double> all = gather(*communicator_, numbers);
  std::map<GlobalIndex, FaceNode> nodes;
  for (std::size_t first = 0; first < all.size(); first += FaceNode::n_numbers) {
    const double* next = all.data() + first;
    FaceNode node;
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
  std::vector<FaceNode> sorted;
  for (const auto& entry : nodes)
    sorted.push_back(entry.second);
  std::sort(sorted.begin(), sorted.end(), [](const FaceNode& a, const FaceNode& b) {
    return std::lexicographical_compare(a.point.begin_raw(), a.point.end_raw(), b.point.begin_raw(),
                                        b.point.end_raw());
  });
  return sorted;
}

template <int dim>
void DealIIDirections<dim>::check_face_nodes(const std::vector<FaceNode>& nodes,
                                             dealii::types::boundary_id id) const {
  if (nodes.empty())
    throw InvalidInput(
        "No face of the mesh has boundary id " + std::to_string(id) +
        " and support points of the displacement. Give an id that the mesh uses, and a Lagrange "
        "element.");
  for (const FaceNode& node : nodes) {
    const auto missing = std::find(node.dofs.begin(), node.dofs.end(), -1);
    if (missing == node.dofs.end()) continue;
    std::string elements;
    for (unsigned int k = 0; k < dof_handler_.get_fe_collection().size(); ++k)
      elements += (k == 0 ? "" : ", ") + dof_handler_.get_fe_collection()[k].get_name();
    throw InvalidInput("Component " + std::to_string(missing - node.dofs.begin()) +
                       " of the displacement has no DoF at the support point " + text_of(node.point) +
                       " of another one; the finite element is " + elements +
                       ". Give all components of the displacement the same Lagrange element.");
  }
}

/// Leaves out nodes that are held, and those between others of the same boundary, which inherit their areas.
template <int dim>
std::vector<typename DealIIDirections<dim>::FaceNode> DealIIDirections<dim>::without_followers(
    std::vector<FaceNode> nodes) const {
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
    const FaceNode& node = nodes[k];
    if (!std::all_of(node.dofs.begin(), node.dofs.end(), is_redundant)) {
      kept.push_back(k);
      continue;
    }
    // Some components may be held, or follow others: of each master, the component that follows it most
    // counts.
    std::map<std::size_t, double> shares;
    for (unsigned int c = 0; c < dim; ++c)
      for (const WeightedDoF& master : masters.at(node.dofs[c])) {
        const std::size_t other = node_of.at(master.dof);
        double& share = shares[other];
        if (nodes[other].dofs[c] == master.dof && std::abs(master.weight) > std::abs(share))
          share = master.weight;
      }
    for (const auto& [other, share] : shares)
      nodes[other].add(share, node);
  }
  std::vector<FaceNode> result;
  for (const std::size_t k : kept)
    result.push_back(nodes[k]);
  return result;
}

template <int dim>
BoundaryPoint<dim> DealIIDirections<dim>::boundary_point(const FaceNode& node) const {
  if (node.normal_sum.norm() <= 1e-12 * node.measure)
    throw InvalidInput("The normals of the faces that meet at " + text_of(node.point) +
                       " cancel: opposite sides of the body touch there. Give them different boundary ids.");
  Vector normal = node.normal_sum / node.normal_sum.norm();
  // Rounding must not make a direction meet DoFs that it does not.
  for (unsigned int k = 0; k < dim; ++k)
    if (std::abs(normal[k]) < 1e-12) normal[k] = 0;
  const auto direction = [&](const Vector& d) {
    Entries entries;
    for (unsigned int c = 0; c < dim; ++c)
      entries.push_back({node.dofs[c], d[c]});
    return of_dofs(entries);
  };
  const std::vector<Vector> tangents = tangents_to<dim>(normal);
  std::vector<Direction> along;
  for (const Vector& tangent : tangents)
    along.push_back(direction(tangent));
  return {node.point, normal, tangents, node.area, direction(-normal), std::move(along)};
}

template <int dim>
std::vector<BoundaryPoint<dim>> DealIIDirections<dim>::on_boundary(dealii::types::boundary_id id) const {
  std::vector<FaceNode> nodes = face_nodes(id);
  check_face_nodes(nodes, id);
  std::vector<BoundaryPoint<dim>> points;
  for (const FaceNode& node : without_followers(std::move(nodes)))
    points.push_back(boundary_point(node));
  if (points.empty())
    throw InvalidInput("The AffineConstraints hold all points of the boundary with id " + std::to_string(id) +
                       ": nothing there can move. Give the id of a boundary that is not held.");
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

template class DealIIDirections<2>;
template class DealIIDirections<3>;

}  // namespace halfdof
