// SPDX-License-Identifier: LGPL-2.1-or-later
#include "column.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/numerics/vector_tools.h>

#include <vector>

using namespace dealii;

namespace {

/// The boundary ids that GridGenerator assigns to the sides of a rectangle.
constexpr types::boundary_id left = 0, right = 1, rock = 2, surface = 3;

const FEValuesExtractors::Scalar u_x(0), u_y(1), p(2);
const FEValuesExtractors::Vector u(0);

}  // namespace

Column::Column(const Soil& soil, unsigned int n_elements)
    : fe(FE_Q<2>(2), 2, FE_Q<2>(1), 1), dof_handler(triangulation) {
  GridGenerator::subdivided_hyper_rectangle(triangulation, {1, n_elements}, Point<2>(0, 0),
                                            Point<2>(width, height), true);
  dof_handler.distribute_dofs(fe);
  constrain_boundary();

  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints);
  sparsity.copy_from(pattern);
  damping.reinit(sparsity);
  stiffness.reinit(sparsity);
  unit_load.reinit(dof_handler.n_dofs());
  assemble(soil);
}

void Column::constrain_boundary() {
  const auto zero = [&](types::boundary_id side, const ComponentMask& components) {
    VectorTools::interpolate_boundary_values(dof_handler, side, Functions::ZeroFunction<2>(3), constraints,
                                             components);
  };
  zero(left, fe.component_mask(u_x));
  zero(right, fe.component_mask(u_x));
  zero(rock, fe.component_mask(u));
  zero(surface, fe.component_mask(p));
  constraints.close();
}

void Column::assemble(const Soil& soil) {
  const QGauss<2> quadrature(fe.degree + 1);
  const QGauss<1> on_faces(fe.degree + 1);
  FEValues<2> values(fe, quadrature, update_values | update_gradients | update_JxW_values);
  FEFaceValues<2> face_values(fe, on_faces, update_values | update_JxW_values);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_damping(n, n), cell_stiffness(n, n);
  dealii::Vector<double> cell_load(n);
  std::vector<types::global_dof_index> dofs(n);

  for (const auto& cell : dof_handler.active_cell_iterators()) {
    values.reinit(cell);
    cell_damping = 0;
    cell_stiffness = 0;
    cell_load = 0;
    for (const unsigned int q : values.quadrature_point_indices())
      for (const unsigned int i : values.dof_indices()) {
        const auto strain = values[u].symmetric_gradient(i, q);
        const double divergence = values[u].divergence(i, q), psi = values[p].value(i, q);
        const auto gradient = values[p].gradient(i, q);
        for (const unsigned int j : values.dof_indices()) {
          const double divergence_j = values[u].divergence(j, q), psi_j = values[p].value(j, q);
          cell_damping(i, j) += psi * (soil.biot * divergence_j + soil.storage * psi_j) * values.JxW(q);
          cell_stiffness(i, j) += (2 * soil.shear_modulus * strain * values[u].symmetric_gradient(j, q) +
                                   divergence * (soil.lame * divergence_j - soil.biot * psi_j) +
                                   soil.mobility * gradient * values[p].gradient(j, q)) *
                                  values.JxW(q);
        }
      }
    for (const auto& face : cell->face_iterators()) {
      if (!face->at_boundary() || face->boundary_id() != surface) continue;
      face_values.reinit(cell, face);
      for (const unsigned int q : face_values.quadrature_point_indices())
        for (const unsigned int i : face_values.dof_indices())
          cell_load(i) -= face_values[u_y].value(i, q) * face_values.JxW(q);
    }
    cell->get_dof_indices(dofs);
    constraints.distribute_local_to_global(cell_damping, dofs, damping);
    constraints.distribute_local_to_global(cell_stiffness, cell_load, dofs, stiffness, unit_load);
  }
}

double Column::value_at(const dealii::Vector<double>& field, double z, unsigned int component) const {
  const Point<2> vertex(0, height - z);
  for (const auto& cell : dof_handler.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices())
      if (cell->vertex(v).distance(vertex) < 1e-9) return field(cell->vertex_dof_index(v, component));
  throw ExcMessage("There is no vertex at this depth.");
}

double Column::pressure_at(const dealii::Vector<double>& field, double z) const {
  return value_at(field, z, 2);
}

double Column::settlement(const dealii::Vector<double>& field) const {
  return -value_at(field, 0, 1);
}
