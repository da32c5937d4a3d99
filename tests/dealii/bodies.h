// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/directions.h>

#include <deal.II/fe/mapping_q.h>

#include "model.h"

/// Bodies whose points move in the plane or in space, and nothing held.
namespace halfdof::test {

using Point2 = dealii::Point<2>;
using Vector2 = dealii::Tensor<1, 2>;

inline Vector2 vector(double x, double y) {
  Vector2 d;
  d[0] = x;
  d[1] = y;
  return d;
}

/// A plane body with two displacements, and nothing held.
template <int dim>
struct Body {
  explicit Body(unsigned int degree = 1) : fe(dealii::FE_Q<dim>(degree), dim), dofs(mesh), mapping(degree) {}

  /// Of one component of element a, and more of b.
  Body(const dealii::FiniteElement<dim>& a, const dealii::FiniteElement<dim>& b, unsigned int n_b)
      : fe(a, 1, b, n_b), dofs(mesh), mapping(1) {}

  void distribute() {
    dofs.distribute_dofs(fe);
    constraints.reinit();
    dealii::DoFTools::make_hanging_node_constraints(dofs, constraints);
    constraints.close();
  }

  DealIIDirections<dim> directions(unsigned int first_component = 0) const {
    return {dofs, mapping, constraints, Partition(static_cast<Index>(dofs.n_dofs())), first_component};
  }

  dealii::Triangulation<dim> mesh;
  dealii::FESystem<dim> fe;
  dealii::DoFHandler<dim> dofs;
  dealii::MappingQ<dim> mapping;
  dealii::AffineConstraints<double> constraints;
};

/// u = (1 + 2 x - 3 y, 4 x + 5 y), behind components that are no displacement.
class LinearField : public dealii::Function<2> {
 public:
  explicit LinearField(unsigned int n_before = 0) : dealii::Function<2>(n_before + 2), n_before_(n_before) {}
  double value(const Point2& p, unsigned int component) const override {
    if (component < n_before_) return 1e3;
    return component == n_before_ ? 1 + 2 * p[0] - 3 * p[1] : 4 * p[0] + 5 * p[1];
  }

 private:
  unsigned int n_before_;
};

/// h^T q with the entries of constrained DoFs zero, as the assembled system has them.
inline double applied(const Direction& h, const dealii::Vector<double>& q,
                      const dealii::AffineConstraints<double>& constraints) {
  double s = 0;
  for (const WeightedDoF& entry : h.entries()) {
    const auto dof = static_cast<dealii::types::global_dof_index>(entry.dof);
    if (!constraints.is_constrained(dof)) s += entry.weight * q[dof];
  }
  return s;
}

inline Body<2>& refined_square(Body<2>& body) {
  dealii::GridGenerator::subdivided_hyper_rectangle(body.mesh, {3, 2}, Point2(), Point2(3., 2.), true);
  Model::refine_corner(body.mesh);
  body.distribute();
  return body;
}

}  // namespace halfdof::test
