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
  /// Unit vectors orthogonal to each other and to the normal: spacedim - 1, without those along which the
  /// constraints hold the point.
  std::vector<dealii::Tensor<1, spacedim>> tangents;
  /// Integral of the shape function, with the shares of hanging nodes: a pressure p has the resultant p area.
  double area;
  Direction inward;              ///< along -normal, in which the reaction of an obstacle outside pushes
  std::vector<Direction> along;  ///< directions along the tangents
};

/**
 * Directions of reactions at points of a finite-element model. The displacement of a point x of the mesh is
 * @f[ u(x) = \sum_i N_i(x)\, q_i, @f]
 * so that the reaction along a vector d at x has the column h with the entries d . N_i(x) for the DoFs of
 * one cell. At support points these are exactly the DoFs of the point. The weight of a constrained DoF, q_i
 * = sum_j w_ij q_j + g_i, is added to the DoFs that it follows, and is also kept for the prescribed part
 * g_i.
 *
 * Numbering: assembled, that of the DoFHandler. Functions are collective, and return the same on every
 * process. The DoFHandler, the mapping and the constraints must outlive this object.
 */
template <int dim>
class DealIIDirections {
 public:
  using Point = dealii::Point<dim>;
  using Vector = dealii::Tensor<1, dim>;

  /// @param dofs rows of the matrices: assembled.dofs().
  /// @param first_component first of the dim components of the displacement in the finite element.
  /// @throws InvalidInput if the finite element has no such components, or the constraints are not closed
  DealIIDirections(const dealii::DoFHandler<dim>& dof_handler, const dealii::Mapping<dim>& mapping,
                   const dealii::AffineConstraints<double>& constraints, const Partition& dofs,
                   unsigned int first_component = 0);

  /// Returns the displacement of a point along d (of any length), in the mesh or on its boundary.
  /// @throws InvalidInput if no cell contains the point (to 1e-10 of its size), or d is zero
  Direction at_point(const Point& x, const Vector& d) const;

  /// Returns the assembled DoF with its support point at x that is a component, 0 to dim - 1, of the
  /// displacement. @throws InvalidInput as at_point(), or if no DoF has its support point there
  GlobalIndex dof_at(const Point& x, unsigned int component) const;

  /// Returns the displacement of point a relative to point b along d, for a contact or friction between the
  /// two.
  Direction relative(const Point& a, const Point& b, const Vector& d) const;

  /// Returns the motion sum_i weight_i q_i of assembled DoFs, which may be constrained.
  /// @throws InvalidInput if all entries cancel
  Direction of_dofs(const std::vector<WeightedDoF>& entries) const;

  /**
   * Returns all support points on the faces with a boundary id, in lexical order of their coordinates.
   * Normals are averaged over the faces that share the point. Points that cannot move are omitted, and so
   * are hanging nodes: they follow other points of the same boundary, to which their areas are added, so
   * that their directions would be linearly dependent.
   * @throws InvalidInput if there is no such boundary, all its points are held, the components of the
   *     displacement have no common support points, or opposite faces share a point, which then has no
   *     normal
   */
  std::vector<BoundaryPoint<dim>> on_boundary(dealii::types::boundary_id id) const;

  /// Returns the DoFs that move the points on_boundary(), ascending: for DealIIOptions::massless_contact.
  /// @throws as on_boundary()
  std::vector<GlobalIndex> contact_dofs(dealii::types::boundary_id id) const;

 private:
  using Entries = std::vector<WeightedDoF>;
  using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;
  struct FaceNode;

  Entries entries_at(const Point& x, const Vector& d) const;
  std::vector<FaceNode> face_nodes(dealii::types::boundary_id id) const;
  std::map<GlobalIndex, Entries> masters_of(const std::vector<GlobalIndex>& dofs) const;
  void check_face_nodes(const std::vector<FaceNode>& nodes, dealii::types::boundary_id id) const;
  /// Returns whether none of these DoFs can move.
  bool is_held(const Entries& entries) const;
  std::vector<FaceNode> without_followers(std::vector<FaceNode> nodes) const;
  BoundaryPoint<dim> boundary_point(const FaceNode& node) const;
  std::vector<FaceNode> nodes_of_face(const Cell& cell, unsigned int face) const;
  void collect_faces(dealii::types::boundary_id id, std::map<GlobalIndex, FaceNode>& nodes) const;

  const dealii::DoFHandler<dim>& dof_handler_;
  const dealii::Mapping<dim>& mapping_;
  const dealii::AffineConstraints<double>& constraints_;
  std::shared_ptr<const Communicator> communicator_;
  unsigned int first_component_;
};

}  // namespace halfdof
