// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model.h"

#include <deal.II/base/function.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/numerics/vector_tools_boundary.h>

#include <cmath>
#include <vector>

using namespace dealii;

namespace {

struct Material {
  double density;  ///< [kg/m^3]
  double young;    ///< [Pa]
  double poisson;

  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double mu() const { return young / (2 * (1 + poisson)); }
};

const Material aluminium{2700, 70e9, 0.33};
const Material rubber{1100, 4e6, 0.45};  // long-term elastic constants

bool is_rubber(const Point<3>& center) {
  return center[0] < 0.02 && center[2] > 0.08;
}

}  // namespace

Bracket::Bracket(unsigned int n_refinements)
    : mesh(MPI_COMM_WORLD), fe(FE_Q<3>(1), 3), mapping(1), dof_handler(mesh) {
  make_mesh(n_refinements);
  make_matrices();
  assemble();
}

/// Creates an L-shaped mesh of cells of 20 mm, with an upright leg of 40 x 40 x 120 mm and an arm of 80 x 40
/// x 40 mm.
void Bracket::make_mesh(unsigned int n_refinements) {
  GridGenerator::subdivided_hyper_L(mesh, {6, 2, 6}, Point(0., 0., 0.), Point(0.12, 0.04, 0.12), {4, 2, 4});
  for (const auto& cell : mesh.active_cell_iterators())
    for (const unsigned int f : cell->face_indices()) {
      const auto face = cell->face(f);
      if (!face->at_boundary()) continue;
      const Point x = face->center();
      if (x[0] < 1e-9 && x[2] > 0.08) face->set_boundary_id(clamped);
      if (x[2] < 1e-9 && x[0] > 0.1) face->set_boundary_id(patch);
    }
  for (unsigned int k = 0; k < n_refinements; ++k) {
    for (const auto& cell : mesh.active_cell_iterators()) {
      if (!cell->is_locally_owned()) continue;
      for (const unsigned int v : cell->vertex_indices())
        if (std::hypot(cell->vertex(v)[0] - 0.04, cell->vertex(v)[2] - 0.04) < 1e-9) cell->set_refine_flag();
    }
    mesh.execute_coarsening_and_refinement();
  }
}

void Bracket::make_matrices() {
  dof_handler.distribute_dofs(fe);
  owned_ = dof_handler.locally_owned_dofs();
  IndexSet relevant;
  DoFTools::extract_locally_relevant_dofs(dof_handler, relevant);
  constraints.reinit(relevant);
  DoFTools::make_hanging_node_constraints(dof_handler, constraints);
  VectorTools::interpolate_boundary_values(mapping, dof_handler, clamped, Functions::ZeroFunction<3>(3),
                                           constraints);
  constraints.close();
  TrilinosWrappers::SparsityPattern sparsity(owned_, owned_, relevant, MPI_COMM_WORLD);
  DoFTools::make_sparsity_pattern(dof_handler, sparsity, constraints, false,
                                  Utilities::MPI::this_mpi_process(MPI_COMM_WORLD));
  sparsity.compress();
  for (Matrix* matrix : {&mass, &stiffness, &bushing_stiffness})
    matrix->reinit(sparsity);
}

void Bracket::assemble() {
  const QGauss<3> quadrature(2);
  FEValues<3> values(mapping, fe, quadrature, update_values | update_gradients | update_JxW_values);
  const FEValuesExtractors::Vector u(0);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_mass(n, n), cell_stiffness(n, n);
  std::vector<types::global_dof_index> indices(n);
  for (const auto& cell : dof_handler.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    values.reinit(cell);
    const Material& material = is_rubber(cell->center()) ? rubber : aluminium;
    cell_mass = 0;
    cell_stiffness = 0;
    for (unsigned int q = 0; q < quadrature.size(); ++q)
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j) {
          // (v, rho u'')
          cell_mass(i, j) += material.density * values[u].value(i, q) * values[u].value(j, q) * values.JxW(q);
          // (eps(v), sigma(u))
          cell_stiffness(i, j) +=
              (material.lambda() * values[u].divergence(i, q) * values[u].divergence(j, q) +
               2 * material.mu() * values[u].symmetric_gradient(i, q) * values[u].symmetric_gradient(j, q)) *
              values.JxW(q);
        }
    cell->get_dof_indices(indices);
    constraints.distribute_local_to_global(cell_mass, indices, mass);
    constraints.distribute_local_to_global(cell_stiffness, indices, stiffness);
    if (is_rubber(cell->center()))
      constraints.distribute_local_to_global(cell_stiffness, indices, bushing_stiffness);
  }
  for (Matrix* matrix : {&mass, &stiffness, &bushing_stiffness})
    matrix->compress(VectorOperation::add);
}

Bracket::Vector Bracket::zero() const {
  return Vector(owned_, MPI_COMM_WORLD);
}
