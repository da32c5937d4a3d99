// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/reduction/direction.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/affine_constraints.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace halfdof {

/// A support point of the displacement on the boundary, with data for an inclusion at this point.
template <int spacedim>
struct BoundaryPoint {
  dealii::Point<spacedim> point;
  dealii::Tensor<1, spacedim> normal;  ///< outward unit normal
  /// Tangents, spacedim - 1 unit vectors that are orthogonal to each other and to the normal. Tangents along
  /// which the constraints prevent any motion of the point are omitted.
  std::vector<dealii::Tensor<1, spacedim>> tangents;
  /// Integral of the shape function, including contributions of hanging nodes: a pressure p has the resultant
  /// p area.
  double area;
  Direction inward;              ///< direction along -normal, in which an obstacle outside of the body pushes
  std::vector<Direction> along;  ///< directions along the tangents
};

/**
 * Directions of reactions at points of a finite-element model. The displacement of a point x of the mesh is
 * @f[ u(x) = \sum_i N_i(x)\, q_i, @f]
 * so that a reaction along a vector d at x acts by the column h of H with the entries d . N_i(x) for the DoFs
 * of the cell that contains x. At a support point only the DoFs of this point have entries. For a constrained
 * DoF i, q_i = sum_j w_ij q_j + g_i, w_ij times the weight of i is added to the weight of each DoF j; the
 * entry of i is kept, because it multiplies the prescribed part g_i.
 *
 * Numbering: assembled, that of the DoFHandler. Functions are collective and return the same result on every
 * process. The DoFHandler, the mapping and the constraints must outlive this object.
 */
template <int dim>
class DealIIDirections {
 public:
  using Point = dealii::Point<dim>;
  using Vector = dealii::Tensor<1, dim>;

  /// @param dofs rows of the matrices: assembled.dofs().
  /// @param first_component number of the first of the dim components of the displacement in the finite
  /// element.
  /// @throws InvalidInput if the finite element has no such components, or the constraints are not closed
  DealIIDirections(const dealii::DoFHandler<dim>& dof_handler, const dealii::Mapping<dim>& mapping,
                   const dealii::AffineConstraints<double>& constraints, const Partition& dofs,
                   unsigned int first_component = 0);

  /// Returns the direction that measures the displacement of a point along d. The point lies in the mesh or
  /// on its boundary, and d may have any length.
  /// @throws InvalidInput if no cell contains the point (up to 1e-10 of the size of the cell), or d is zero
  Direction at_point(const Point& x, const Vector& d) const;

  /// Returns the number of the DoF of a component (0 to dim - 1) of the displacement with the support point
  /// x.
  /// @throws InvalidInput as at_point(), or if no DoF has the support point x
  GlobalIndex dof_at(const Point& x, unsigned int component) const;

  /// Returns the direction that measures the displacement of point a relative to point b along d, for a
  /// contact or friction between both points.
  Direction relative(const Point& a, const Point& b, const Vector& d) const;

  /// Returns the direction that measures sum_i weight_i q_i, where the DoFs i may be constrained.
  /// @throws InvalidInput if all entries cancel
  Direction of_dofs(const std::vector<WeightedDoF>& entries) const;

  /**
   * Returns all support points on the faces with a boundary id, in lexical order of their coordinates.
   * Normals are averaged over the faces that share the point. Points that cannot move are omitted. Hanging
   * nodes are omitted too, because their displacements are combinations of displacements of other points of
   * the same boundary, so that directions would be linearly dependent; their areas are added to the areas of
   * these points.
   * @throws InvalidInput if there is no such boundary, no point of the boundary can move, the components of
   *     the displacement have no common support points, or opposite faces share a point, so that the point
   *     has no normal
   */
  std::vector<BoundaryPoint<dim>> on_boundary(dealii::types::boundary_id id) const;

  /// Returns the numbers of all DoFs that move the points of on_boundary(), ascending, as needed for
  /// DealIIOptions::massless_contact.
  /// @throws as on_boundary()
  std::vector<GlobalIndex> contact_dofs(dealii::types::boundary_id id) const;

 private:
  using Entries = std::vector<WeightedDoF>;
  using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;
  struct BoundaryNode;

  Entries entries_at(const Point& x, const Vector& d) const;
  std::vector<BoundaryNode> boundary_nodes(dealii::types::boundary_id id) const;
  std::map<GlobalIndex, Entries> masters_of(const std::vector<GlobalIndex>& dofs) const;
  void check_boundary_nodes(const std::vector<BoundaryNode>& nodes, dealii::types::boundary_id id) const;
  /// Returns whether constraints prescribe the displacements of all these DoFs.
  bool cannot_move(const Entries& entries) const;
  std::vector<BoundaryNode> without_dependent_nodes(std::vector<BoundaryNode> nodes) const;
  BoundaryPoint<dim> boundary_point(const BoundaryNode& node) const;
  std::vector<BoundaryNode> nodes_of_face(const Cell& cell, unsigned int face) const;
  void collect_boundary_nodes(dealii::types::boundary_id id,
                              std::map<GlobalIndex, BoundaryNode>& nodes) const;

  const dealii::DoFHandler<dim>& dof_handler_;
  const dealii::Mapping<dim>& mapping_;
  const dealii::AffineConstraints<double>& constraints_;
  std::shared_ptr<const Communicator> communicator_;
  unsigned int first_component_;
};

}  // namespace halfdof
