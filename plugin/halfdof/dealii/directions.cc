// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/dealii/directions.h>
#include <halfdof/dealii/point_text.h>

#include <deal.II/grid/reference_cell.h>

#include <cmath>
#include <optional>
#include <utility>

namespace halfdof {

namespace {

using dealii::types::global_dof_index;

/// Returns exactly 0 or 1 if the value of a shape function is 0 or 1 up to rounding, as at support points,
/// and otherwise the value itself.
double with_exact_zeros(double value) {
  for (const double exact : {0., 1.})
    if (std::abs(value - exact) < 1e-12) return exact;
  return value;
}

/// Returns the coordinates of a point on the reference cell, or nothing if the cell does not contain the
/// point.
template <int dim>
std::optional<dealii::Point<dim>> unit_point(
    const dealii::Mapping<dim>& mapping, const typename dealii::DoFHandler<dim>::active_cell_iterator& cell,
    const dealii::Point<dim>& x) {
  // Curved faces may extend beyond the bounding box of the vertices.
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

}  // namespace

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
    throw InvalidInput("The displacement has " + std::to_string(dim) +
                       " components and begins with component " + std::to_string(first_component) +
                       ", but the finite element has only " + std::to_string(n_components) +
                       " components. Correct the number of the first component of the displacement.");
  if (communicator_->any(!constraints.is_closed()))
    throw InvalidInput(
        "The AffineConstraints are not closed, so that chains of constraints are not resolved. Call "
        "AffineConstraints::close() before.");
}

/// Returns the entries d . N_i(x). One process computes the entries and sends them to all processes.
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
        weight += d[c] * with_exact_zeros(fe.shape_value_component(i, *unit, first_component_ + c));
      if (weight != 0) found.insert(found.end(), {static_cast<double>(indices[i]), weight});
    }
    break;
  }
  // If several processes own a cell that contains the point, the entries of the first process are used.
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

/// Returns for each constrained DoF of `dofs` the DoFs of its constraint with their weights, collected from
/// all processes.
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

/// For each constrained DoF i, q_i = sum_j w_ij q_j + g_i, adds w_ij times the weight of i to the weight of
/// each DoF j. The entry of i is kept, because it multiplies the prescribed part g_i.
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
GlobalIndex DealIIDirections<dim>::dof_at(const Point& x, unsigned int component) const {
  if (component >= dim)
    throw InvalidInput("The displacement has the components 0 to " + std::to_string(dim - 1) +
                       ", but component " + std::to_string(component) + " was requested at the point " +
                       text_of(x) +
                       ". Number the components from 0, the first component of the displacement.");
  Vector d;
  d[component] = 1;
  const Entries entries = entries_at(x, d);
  if (entries.size() != 1 || entries.front().weight != 1)
    throw InvalidInput("No degree of freedom has its support point at " + text_of(x) +
                       ": the displacement of this point depends on " + std::to_string(entries.size()) +
                       " degrees of freedom of its cell. Give a support point (such as a "
                       "vertex), or use at_point(), which accepts any point.");
  return entries.front().dof;
}

template <int dim>
Direction DealIIDirections<dim>::relative(const Point& a, const Point& b, const Vector& d) const {
  return combine(1., at_point(a, d), -1., at_point(b, d));
}

template class DealIIDirections<2>;
template class DealIIDirections<3>;

}  // namespace halfdof
