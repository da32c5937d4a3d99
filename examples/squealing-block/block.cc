// SPDX-License-Identifier: LGPL-2.1-or-later
#include "block.h"

#include <halfdof/inclusions/laws.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/numerics/vector_tools.h>

#include <map>
#include <memory>
#include <string>

using namespace dealii;
using namespace halfdof;

std::vector<Point<3>> BlockModel::pads() const {
  std::vector<Point<3>> all;
  for (const double x : {0.2, 0.8})
    for (const double y : {0.25, 0.75})
      all.emplace_back(x * length, y * width, 0.);
  return all;
}

Block::Block(const BlockModel& model, unsigned int n_cells) : fe(FE_Q<3>(1), 3), dof_handler(triangulation) {
  GridGenerator::subdivided_hyper_rectangle(triangulation, {2 * n_cells, n_cells, n_cells}, Point<3>(),
                                            Point<3>(model.length, model.width, model.height), true);
  dof_handler.distribute_dofs(fe);
  const types::boundary_id upper = 5;  // boundary id of the side z = height of a colorized rectangle
  VectorTools::interpolate_boundary_values(dof_handler, upper, Functions::ZeroFunction<3>(3), constraints);
  constraints.close();
  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints);
  sparsity.copy_from(pattern);
  for (SparseMatrix<double>* matrix : {&mass, &damping, &stiffness})
    matrix->reinit(sparsity);
  assemble(model);
}

void Block::assemble(const BlockModel& model) {
  const double mu = model.young / (2 * (1 + model.poisson)),
               lambda = model.young * model.poisson / ((1 + model.poisson) * (1 - 2 * model.poisson));
  const FEValuesExtractors::Vector u(0);
  const QGauss<3> quadrature(2);
  FEValues<3> values(fe, quadrature, update_values | update_gradients | update_JxW_values);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_mass(n, n), cell_stiffness(n, n);
  std::vector<types::global_dof_index> dofs(n);
  bool is_first = true;
  for (const auto& cell : dof_handler.active_cell_iterators()) {
    if (is_first) {  // all cells have the same matrices
      values.reinit(cell);
      for (unsigned int q = 0; q < quadrature.size(); ++q)
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j) {
            cell_mass(i, j) +=
                model.density * (values[u].value(i, q) * values[u].value(j, q)) * values.JxW(q);
            cell_stiffness(i, j) +=
                (2 * mu * (values[u].symmetric_gradient(i, q) * values[u].symmetric_gradient(j, q)) +
                 lambda * values[u].divergence(i, q) * values[u].divergence(j, q)) *
                values.JxW(q);
          }
      is_first = false;
    }
    cell->get_dof_indices(dofs);
    constraints.distribute_local_to_global(cell_mass, dofs, mass);
    constraints.distribute_local_to_global(cell_stiffness, dofs, stiffness);
  }
  damping.copy_from(stiffness);
  damping *= model.damping;
}

DealIIOptions<SparseMatrix<double>> Block::pads(const BlockModel& model) const {
  std::map<types::global_dof_index, Point<3>> points;
  DoFTools::map_dofs_to_support_points(MappingQ1<3>(), dof_handler, points);
  ComponentMask along(3, false);
  along.set(0, true);
  const IndexSet x_dofs = DoFTools::extract_dofs(dof_handler, along);

  DealIIOptions<SparseMatrix<double>> options;
  LumpedElements& elements = options.attachments;
  auto pad = static_cast<GlobalIndex>(dof_handler.n_dofs());
  for (const Point<3>& center : model.pads()) {
    std::vector<GlobalIndex> around;
    for (const auto dof : x_dofs)
      if (points[dof].distance(center) <= model.pad_radius) around.push_back(static_cast<GlobalIndex>(dof));
    elements.new_dofs.push_back("pad " + std::to_string(elements.new_dofs.size() + 1));
    add_between(elements.mass, pad, ground, model.pad_mass);
    const double spring = model.pad_stiffness / static_cast<double>(around.size());
    for (const GlobalIndex node : around) {
      add_between(elements.stiffness, pad, node, spring);
      add_between(elements.damping, pad, node, model.damping * spring);
    }
    ++pad;
  }
  return options;
}

std::vector<Inclusion> Block::friction(const BlockModel& model) const {
  const double v = model.belt_speed;
  const ScalarFunction belt([v](double t) { return v * t; }, [v](double) { return v; });
  std::vector<Inclusion> all;
  for (std::size_t i = 0; i < model.pads().size(); ++i) {
    const double part = 1 + model.tilt * (static_cast<double>(i) - 1.5);
    all.push_back(inclusion(
        "pad " + std::to_string(i + 1),
        std::make_shared<WeakeningFriction>(
            FrictionCurve::exponential(part * model.at_rest, part * model.kinetic, model.falls_over), belt),
        Direction({{static_cast<GlobalIndex>(dof_handler.n_dofs() + i), 1.}})));
  }
  return all;
}
