// SPDX-License-Identifier: LGPL-2.1-or-later
#include "beam.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_in.h>
#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/vector_tools_boundary.h>

#include <fstream>
#include <stdexcept>

using namespace dealii;

namespace {

const Material steel{7850, 210e9, 0.3};
const Material polymer{1000, 20e6, 0.45};  // long-term elastic constants
const Material joint{0, 400e6, 0.3};

/// Returns the material of a physical surface of the mesh.
const Material& material_of(types::material_id id) {
  return id == 1 ? steel : id == 2 ? polymer : joint;
}
constexpr types::material_id polymer_id = 2;
constexpr types::boundary_id clamped_end = 1;

/// The area [m^2] of the tip mass and the position [m] of its beginning, as in meshes/sandwich-beam.geo.
constexpr double tip_area = 0.02 * 0.02, tip_begin = 0.306;

}  // namespace

template <class LinearAlgebra>
Beam<LinearAlgebra>::Beam(const std::string& mesh_file, unsigned int degree, unsigned int n_refinements)
    : mesh(LinearAlgebra::make_mesh()), fe(FE_Q<2>(degree), 2), dof_handler(mesh) {
  read_mesh(mesh_file, n_refinements);
  dof_handler.distribute_dofs(fe);

  IndexSet relevant;
  DoFTools::extract_locally_relevant_dofs(dof_handler, relevant);
  constraints.reinit(relevant);
  VectorTools::interpolate_boundary_values(dof_handler, clamped_end, Functions::ZeroFunction<2>(2),
                                           constraints);
  constraints.close();

  linear_algebra.reinit(dof_handler, constraints);
  for (Matrix* matrix : {&mass, &stiffness, &polymer_stiffness})
    linear_algebra.reinit(*matrix);
  linear_algebra.reinit(pull);
  assemble();
}

template <class LinearAlgebra>
void Beam<LinearAlgebra>::read_mesh(const std::string& file_name, unsigned int n_refinements) {
  std::ifstream file(file_name);
  if (!file) throw std::runtime_error("The mesh file " + file_name + " cannot be opened.");
  GridIn<2>(mesh).read_msh(file);
  mesh.refine_global(n_refinements);
}

template <class LinearAlgebra>
void Beam<LinearAlgebra>::assemble() {
  const QGauss<2> quadrature(fe.degree + 1);
  FEValues<2> values(fe, quadrature,
                     update_values | update_gradients | update_quadrature_points | update_JxW_values);
  const FEValuesExtractors::Vector u(0);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_mass(n, n), cell_stiffness(n, n);
  dealii::Vector<double> cell_pull(n);
  std::vector<types::global_dof_index> indices(n);

  for (const auto& cell : dof_handler.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    values.reinit(cell);
    const Material& material = material_of(cell->material_id());
    const bool is_pulled = cell->center()[0] > tip_begin;
    cell_mass = 0;
    cell_stiffness = 0;
    cell_pull = 0;
    for (unsigned int q = 0; q < quadrature.size(); ++q)
      for (unsigned int i = 0; i < n; ++i) {
        const auto strain_i = values[u].symmetric_gradient(i, q);
        const double divergence_i = values[u].divergence(i, q);
        for (unsigned int j = 0; j < n; ++j) {
          // (v, rho u'')
          cell_mass(i, j) += material.density * values[u].value(i, q) * values[u].value(j, q) * values.JxW(q);
          // (eps(v), sigma(u))
          cell_stiffness(i, j) += (material.lambda() * divergence_i * values[u].divergence(j, q) +
                                   2 * material.mu() * strain_i * values[u].symmetric_gradient(j, q)) *
                                  values.JxW(q);
        }
        if (is_pulled) cell_pull(i) -= values[u].value(i, q)[1] / tip_area * values.JxW(q);
      }
    cell->get_dof_indices(indices);
    constraints.distribute_local_to_global(cell_mass, indices, mass);
    constraints.distribute_local_to_global(cell_stiffness, cell_pull, indices, stiffness, pull);
    if (cell->material_id() == polymer_id)
      constraints.distribute_local_to_global(cell_stiffness, indices, polymer_stiffness);
  }
  for (Matrix* matrix : {&mass, &stiffness, &polymer_stiffness})
    matrix->compress(VectorOperation::add);
  pull.compress(VectorOperation::add);
}

template <class LinearAlgebra>
typename LinearAlgebra::Vector Beam<LinearAlgebra>::pulled_down(double force) const {
  Vector load = pull, displacement;
  load *= force;
  linear_algebra.reinit(displacement);
  LinearAlgebra::solve(stiffness, displacement, load);
  constraints.distribute(displacement);
  return displacement;
}

template <class LinearAlgebra>
double Beam<LinearAlgebra>::displacement_at(const Vector& displacement, const Point<2>& vertex,
                                            unsigned int component) const {
  const auto search = [&]() -> double {
    for (const auto& cell : dof_handler.active_cell_iterators())
      if (cell->is_locally_owned())
        for (const unsigned int v : cell->vertex_indices())
          if (const auto dof = cell->vertex_dof_index(v, component);
              cell->vertex(v).distance(vertex) < 1e-9 && dof_handler.locally_owned_dofs().is_element(dof))
            return displacement(dof);
    return 0;
  };
  return Utilities::MPI::sum(search(), mesh.get_communicator());
}

template <class LinearAlgebra>
void Beam<LinearAlgebra>::write_vtu(const Vector& displacement, const std::string& folder,
                                    unsigned int number, double time) {
  const Vector on_cells = linear_algebra.ghosted(displacement);
  dealii::Vector<float> materials(mesh.n_active_cells());
  for (const auto& cell : mesh.active_cell_iterators())
    materials(cell->active_cell_index()) = static_cast<float>(cell->material_id());

  DataOut<2> output;
  output.attach_dof_handler(dof_handler);
  output.add_data_vector(on_cells, std::vector<std::string>(2, "displacement"), DataOut<2>::type_dof_data,
                         std::vector<DataComponentInterpretation::DataComponentInterpretation>(
                             2, DataComponentInterpretation::component_is_part_of_vector));
  output.add_data_vector(materials, "material");
  output.build_patches(fe.degree);
  const std::string file =
      output.write_vtu_with_pvtu_record(folder + "/", "ring-down", number, mesh.get_communicator(), 4);
  written_.emplace_back(time, file);
  if (Utilities::MPI::this_mpi_process(mesh.get_communicator()) == 0) {
    std::ofstream series(folder + "/ring-down.pvd");
    DataOutBase::write_pvd_record(series, written_);
  }
}

template struct Beam<SerialLinearAlgebra>;
template struct Beam<DistributedLinearAlgebra>;
