// SPDX-License-Identifier: LGPL-2.1-or-later
#include "beam.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/numerics/vector_tools.h>

#include <cmath>
#include <vector>

using namespace dealii;

Beam::Beam(const Material& material) : fe(FE_Q<2>(2), 2), dof_handler(triangulation), material_(material) {
  GridGenerator::subdivided_hyper_rectangle(triangulation, {12, 2}, Point<2>(0, 0),
                                            Point<2>(material.length, material.height), true);
  dof_handler.distribute_dofs(fe);
  VectorTools::interpolate_boundary_values(dof_handler, 0, Functions::ZeroFunction<2>(2), constraints);
  constraints.close();
  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints);
  sparsity.copy_from(pattern);
  for (SparseMatrix<double>* matrix : {&mass, &damping, &stiffness})
    matrix->reinit(sparsity);
  assemble(material);
}

void Beam::assemble(const Material& material) {
  const double mu = material.young / (2 * (1 + material.poisson));
  const double lambda = material.young * material.poisson / (1 - material.poisson * material.poisson);
  const QGauss<2> quadrature(fe.degree + 1);
  FEValues<2> values(fe, quadrature, update_values | update_gradients | update_JxW_values);
  const FEValuesExtractors::Vector u(0);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_mass(n, n), cell_stiffness(n, n), cell_damping(n, n);
  std::vector<types::global_dof_index> dofs(n);

  for (const auto& cell : dof_handler.active_cell_iterators()) {
    values.reinit(cell);
    cell_mass = 0;
    cell_stiffness = 0;
    for (const unsigned int q : values.quadrature_point_indices())
      for (const unsigned int i : values.dof_indices())
        for (const unsigned int j : values.dof_indices()) {
          const double volume = material.width * values.JxW(q);
          cell_mass(i, j) += material.density * values[u].value(i, q) * values[u].value(j, q) * volume;
          cell_stiffness(i, j) +=
              (2 * mu * values[u].symmetric_gradient(i, q) * values[u].symmetric_gradient(j, q) +
               lambda * values[u].divergence(i, q) * values[u].divergence(j, q)) *
              volume;
        }
    cell_damping.equ(material.relaxation, cell_stiffness);
    cell->get_dof_indices(dofs);
    constraints.distribute_local_to_global(cell_mass, dofs, mass);
    constraints.distribute_local_to_global(cell_damping, dofs, damping);
    constraints.distribute_local_to_global(cell_stiffness, dofs, stiffness);
  }
}

types::global_dof_index Beam::tip() const {
  const Point<2> end(material_.length, material_.height / 2);
  for (const auto& cell : dof_handler.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices())
      if (cell->vertex(v).distance(end) < 1e-9) return cell->vertex_dof_index(v, 1);
  throw ExcMessage("There is no vertex in the middle of the free end.");
}

halfdof::LumpedElements Snubber::elements(halfdof::GlobalIndex tip, halfdof::GlobalIndex node) const {
  halfdof::LumpedElements elements;
  elements.new_dofs = {"snubber"};
  add_between(elements.stiffness, tip, node, k_t);
  add_between(elements.stiffness, node, halfdof::ground, k);
  add_between(elements.damping, node, halfdof::ground, c);
  halfdof::NonlinearElement rubber{node, halfdof::ground,
                                   [*this](double y, double) { return k_3 * y * y * y; }};
  rubber.stiffness = [*this](double y, double) { return 3 * k_3 * y * y; };
  halfdof::NonlinearElement oil{node, halfdof::ground,
                                [*this](double, double rate) { return d * rate * std::abs(rate); }};
  oil.damping = [*this](double, double rate) { return 2 * d * std::abs(rate); };
  elements.nonlinear = {rubber, oil};
  return elements;
}

halfdof::Complex Snubber::dynamic_stiffness(double omega, double y) const {
  const halfdof::Complex inner = k + 3 * k_3 * y * y + halfdof::Complex(0, omega * c);
  return k_t * inner / (k_t + inner);
}

double Snubber::rest(double u) const {
  double y = 0;  // Newton's iteration for (k + k_t) y + k_3 y^3 = k_t u, which is monotone
  for (int i = 0; i < 100; ++i)
    y -= ((k + k_t) * y + k_3 * y * y * y - k_t * u) / (k + k_t + 3 * k_3 * y * y);
  return y;
}
