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

double Rubber::first_frequency() const {
  const double first_root = 1.8751040687119611;  // smallest root of cos x cosh x = -1
  return first_root * first_root / (2 * numbers::PI * length * length) *
         std::sqrt(4 * mu * height * height / (12 * density));
}

Beam::Beam(const Rubber& rubber, Formulation formulation, double compressibility,
           unsigned int n_cells_over_height)
    : fe(formulation == Formulation::mixed ? std::make_unique<FESystem<2>>(FE_Q<2>(2), 2, FE_Q<2>(1), 1)
                                           : std::make_unique<FESystem<2>>(FE_Q<2>(2), 2)),
      dof_handler(triangulation) {
  const auto n_along = static_cast<unsigned int>(std::lround(0.5 * rubber.length / rubber.height));
  GridGenerator::subdivided_hyper_rectangle(triangulation,
                                            {n_along * n_cells_over_height, n_cells_over_height},
                                            Point<2>(0, 0), Point<2>(rubber.length, rubber.height), true);
  dof_handler.distribute_dofs(*fe);

  ComponentMask displacements(fe->n_components(), true);
  if (formulation == Formulation::mixed) displacements.set(2, false);
  VectorTools::interpolate_boundary_values(dof_handler, 0, Functions::ZeroFunction<2>(fe->n_components()),
                                           constraints, displacements);
  constraints.close();

  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints);
  sparsity.copy_from(pattern);
  mass.reinit(sparsity);
  stiffness.reinit(sparsity);
  assemble(rubber, formulation, compressibility);
}

void Beam::assemble(const Rubber& rubber, Formulation formulation, double compressibility) {
  const bool is_mixed = formulation == Formulation::mixed;
  const FEValuesExtractors::Vector u(0);
  const FEValuesExtractors::Scalar p(2);
  const QGauss<2> quadrature(3);
  FEValues<2> values(*fe, quadrature, update_values | update_gradients | update_JxW_values);
  const unsigned int n = fe->n_dofs_per_cell();
  FullMatrix<double> cell_mass(n, n), cell_stiffness(n, n);
  std::vector<types::global_dof_index> dofs(n);

  for (const auto& cell : dof_handler.active_cell_iterators()) {
    values.reinit(cell);
    cell_mass = 0;
    cell_stiffness = 0;
    for (const unsigned int q : values.quadrature_point_indices())
      for (const unsigned int i : values.dof_indices())
        for (const unsigned int j : values.dof_indices()) {
          const double div_i = values[u].divergence(i, q), div_j = values[u].divergence(j, q);
          // (v, rho u'')
          cell_mass(i, j) += rubber.density * values[u].value(i, q) * values[u].value(j, q) * values.JxW(q);
          // (eps(v), 2 mu eps(u))
          double entry =
              2 * rubber.mu * values[u].symmetric_gradient(i, q) * values[u].symmetric_gradient(j, q);
          if (is_mixed) {
            // -(div v, p) - (q, div u) - (q, p) / lambda
            const double p_i = values[p].value(i, q), p_j = values[p].value(j, q);
            entry -= div_i * p_j + p_i * div_j + compressibility * p_i * p_j;
          } else {
            entry += div_i * div_j / compressibility;
          }
          cell_stiffness(i, j) += entry * values.JxW(q);
        }
    cell->get_dof_indices(dofs);
    constraints.distribute_local_to_global(cell_mass, dofs, mass);
    constraints.distribute_local_to_global(cell_stiffness, dofs, stiffness);
  }
}
