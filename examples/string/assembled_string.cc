// SPDX-License-Identifier: LGPL-2.1-or-later
#include "assembled_string.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_in.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/numerics/matrix_tools.h>

#include <cmath>
#include <fstream>
#include <stdexcept>

using namespace dealii;

AssembledString::AssembledString(const StringModel& model, const std::string& mesh,
                                 unsigned int n_refinements)
    : fe(2), dof_handler(triangulation) {
  std::ifstream file(mesh);
  if (!file) throw std::runtime_error("The mesh " + mesh + " cannot be opened.");
  GridIn<1>(triangulation).read_msh(file);
  triangulation.refine_global(n_refinements);
  dof_handler.distribute_dofs(fe);
  DoFTools::make_zero_boundary_constraints(dof_handler, constraints);
  constraints.close();

  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints);
  sparsity.copy_from(pattern);
  mass.reinit(sparsity);
  stiffness.reinit(sparsity);
  const QGauss<1> quadrature(fe.degree + 1);
  const Function<1>* const one = nullptr;
  MatrixCreator::create_mass_matrix(dof_handler, quadrature, mass, one, constraints);
  MatrixCreator::create_laplace_matrix(dof_handler, quadrature, stiffness, one, constraints);
  mass *= model.mass;
  stiffness *= model.tension;
}

halfdof::GlobalIndex AssembledString::dof_at(double x) const {
  for (const auto& [dof, point] : support_points())
    if (std::abs(point[0] - x) < 1e-8) return static_cast<halfdof::GlobalIndex>(dof);
  throw std::runtime_error("The mesh has no DoF at x = " + std::to_string(x) + " m.");
}

std::map<types::global_dof_index, Point<1>> AssembledString::support_points() const {
  std::map<types::global_dof_index, Point<1>> points;
  DoFTools::map_dofs_to_support_points(MappingQ1<1>(), dof_handler, points);
  return points;
}
