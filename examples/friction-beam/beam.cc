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

constexpr types::material_id lining = 2;

}  // namespace

template <class LinearAlgebra>
RubbingBeam<LinearAlgebra>::RubbingBeam(const std::string& mesh_file, unsigned int n_refinements)
    : mesh(LinearAlgebra::make_mesh()), fe(FE_Q<2>(1), 2), dof_handler(mesh) {
  read_mesh(mesh_file, n_refinements);
  dof_handler.distribute_dofs(fe);
  Constraints none(relevant_dofs());
  none.close();
  constraints.copy_from(held_dofs(ComponentMask(2, false), 0.));
  linear_algebra.reinit(dof_handler, none);
  for (Matrix* matrix : {&mass, &damping, &stiffness})
    linear_algebra.reinit(*matrix);
  linear_algebra.reinit(unit_pressure);
  for_each_cell([&](const CellTerms& cell) {
    none.distribute_local_to_global(cell.mass, cell.dofs, mass);
    none.distribute_local_to_global(cell.damping, cell.dofs, damping);
    none.distribute_local_to_global(cell.stiffness, cell.unit_pressure, cell.dofs, stiffness, unit_pressure);
  });
  for (Matrix* matrix : {&mass, &damping, &stiffness})
    matrix->compress(VectorOperation::add);
  unit_pressure.compress(VectorOperation::add);
}

template <class LinearAlgebra>
void RubbingBeam<LinearAlgebra>::read_mesh(const std::string& file_name, unsigned int n_refinements) {
  std::ifstream file(file_name);
  if (!file) throw std::runtime_error("The mesh file " + file_name + " cannot be opened.");
  GridIn<2>(mesh).read_msh(file);
  mesh.refine_global(n_refinements);
}

template <class LinearAlgebra>
IndexSet RubbingBeam<LinearAlgebra>::relevant_dofs() const {
  IndexSet relevant;
  DoFTools::extract_locally_relevant_dofs(dof_handler, relevant);
  return relevant;
}

template <class LinearAlgebra>
IndexSet RubbingBeam<LinearAlgebra>::dofs_on(types::boundary_id id, unsigned int component) const {
  ComponentMask mask(2, false);
  mask.set(component, true);
  return DoFTools::extract_boundary_dofs(dof_handler, mask, {id});
}

template <class LinearAlgebra>
AffineConstraints<double> RubbingBeam<LinearAlgebra>::held_dofs(const ComponentMask& mask,
                                                                double support_displacement) const {
  Constraints result(relevant_dofs());
  VectorTools::interpolate_boundary_values(mapping, dof_handler, clamped_end, Functions::ZeroFunction<2>(2),
                                           result);
  const Functions::ConstantFunction<2> along_support(std::vector<double>{support_displacement, 0.});
  if (mask.n_selected_components() > 0)
    VectorTools::interpolate_boundary_values(mapping, dof_handler, rubbing_side, along_support, result, mask);
  result.close();
  return result;
}

template <class LinearAlgebra>
void RubbingBeam<LinearAlgebra>::for_each_cell(const std::function<void(const CellTerms&)>& use) const {
  const QGauss<2> quadrature(2);
  const QGauss<1> face_quadrature(2);
  FEValues<2> values(mapping, fe, quadrature, update_values | update_gradients | update_JxW_values);
  FEFaceValues<2> face_values(mapping, fe, face_quadrature, update_values | update_JxW_values);
  const FEValuesExtractors::Vector u(0);
  const unsigned int n = fe.n_dofs_per_cell();
  CellTerms terms{std::vector<types::global_dof_index>(n), FullMatrix<double>(n), FullMatrix<double>(n),
                  FullMatrix<double>(n), dealii::Vector<double>(n)};

  for (const auto& cell : dof_handler.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    values.reinit(cell);
    const bool has_mass = cell->material_id() != lining;
    const double density = has_mass ? rubber.density : 0., relaxation = has_mass ? rubber.damping : 0.;
    terms.mass = 0;
    terms.stiffness = 0;
    terms.unit_pressure = 0;
    for (unsigned int q = 0; q < quadrature.size(); ++q)
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j) {
          // (v, rho u'')
          terms.mass(i, j) += density * values[u].value(i, q) * values[u].value(j, q) * values.JxW(q);
          // (eps(v), sigma(u))
          terms.stiffness(i, j) +=
              (rubber.lambda() * values[u].divergence(i, q) * values[u].divergence(j, q) +
               2 * rubber.mu() * values[u].symmetric_gradient(i, q) * values[u].symmetric_gradient(j, q)) *
              values.JxW(q);
        }
    terms.damping.equ(relaxation, terms.stiffness);
    for (const auto& face : cell->face_iterators()) {
      if (!face->at_boundary() || face->boundary_id() != loaded_side) continue;
      face_values.reinit(cell, face);
      for (unsigned int q = 0; q < face_quadrature.size(); ++q)
        for (unsigned int i = 0; i < n; ++i)
          terms.unit_pressure(i) -= face_values[u].value(i, q)[1] * face_values.JxW(q);
    }
    cell->get_dof_indices(terms.dofs);
    use(terms);
  }
}

template <class LinearAlgebra>
typename LinearAlgebra::Vector RubbingBeam<LinearAlgebra>::solve_static(const Constraints& held,
                                                                        double pressure) const {
  Matrix held_stiffness;
  Vector load, displacement;
  linear_algebra.reinit(held_stiffness);
  linear_algebra.reinit(load);
  linear_algebra.reinit(displacement);
  for_each_cell([&](const CellTerms& cell) {
    dealii::Vector<double> cell_load(cell.unit_pressure);
    cell_load *= pressure;
    held.distribute_local_to_global(cell.stiffness, cell_load, cell.dofs, held_stiffness, load);
  });
  held_stiffness.compress(VectorOperation::add);
  load.compress(VectorOperation::add);
  LinearAlgebra::solve(held_stiffness, displacement, load);
  held.distribute(displacement);
  return displacement;
}

template <class LinearAlgebra>
typename LinearAlgebra::Vector RubbingBeam<LinearAlgebra>::at_rest(double pressure) const {
  return solve_static(touching(), pressure);
}

template <class LinearAlgebra>
double RubbingBeam<LinearAlgebra>::sticking_stiffness() const {
  const double support_displacement = 1;
  return -clamping_force(solve_static(held_dofs(ComponentMask(2, true), support_displacement), 0.), 0.)[0] /
         support_displacement;
}

template <class LinearAlgebra>
std::array<double, 2> RubbingBeam<LinearAlgebra>::clamping_force(const Vector& displacement,
                                                                 double pressure) const {
  Vector load(unit_pressure), rest;
  load *= pressure;
  linear_algebra.reinit(rest);
  stiffness.residual(rest, displacement, load);
  std::array<double, 2> force{};
  for (unsigned int component = 0; component < 2; ++component) {
    const IndexSet clamped = dofs_on(clamped_end, component);
    for (const auto i : clamped& dof_handler.locally_owned_dofs())
      force[component] -= rest(i);
    force[component] = Utilities::MPI::sum(force[component], mesh.get_communicator());
  }
  return force;
}

template <class LinearAlgebra>
AffineConstraints<double> RubbingBeam<LinearAlgebra>::touching() const {
  return held_dofs(ComponentMask(std::vector<bool>{false, true}), 0.);
}

template <class LinearAlgebra>
void RubbingBeam<LinearAlgebra>::assemble_sliding_stiffness(double friction_coefficient,
                                                            Matrix& sliding) const {
  const IndexSet along = dofs_on(rubbing_side, 0), across = dofs_on(rubbing_side, 1);
  Constraints none(relevant_dofs());
  none.close();
  linear_algebra.reinit(sliding);
  for_each_cell([&](const CellTerms& cell) {
    FullMatrix<double> cell_sliding(cell.stiffness);
    // The DoF of the y component of a node follows the DoF of its x component.
    for (unsigned int i = 0; i + 1 < cell.dofs.size(); i += 2)
      if (along.is_element(cell.dofs[i]) && across.is_element(cell.dofs[i + 1]))
        cell_sliding.add_row(i, friction_coefficient, i + 1);
    none.distribute_local_to_global(cell_sliding, cell.dofs, sliding);
  });
  sliding.compress(VectorOperation::add);
}

template <class LinearAlgebra>
void RubbingBeam<LinearAlgebra>::write_vtu(const Vector& displacement, const Vector& contact,
                                           const std::string& folder, unsigned int number, double time) {
  using DataComponentInterpretation::component_is_part_of_vector;
  const Vector moved = linear_algebra.ghosted(displacement), touching = linear_algebra.ghosted(contact);
  DataOut<2> output;
  output.attach_dof_handler(dof_handler);
  output.add_data_vector(moved, std::vector<std::string>(2, "displacement"), DataOut<2>::type_dof_data,
                         {component_is_part_of_vector, component_is_part_of_vector});
  output.add_data_vector(touching, std::vector<std::string>{"contact_state", "contact_pressure"});
  output.build_patches(mapping, 1);
  const std::string file =
      output.write_vtu_with_pvtu_record(folder + "/", "friction-beam", number, mesh.get_communicator(), 4);
  written_.emplace_back(time, file);
  if (Utilities::MPI::this_mpi_process(mesh.get_communicator()) == 0) {
    std::ofstream series(folder + "/friction-beam.pvd");
    DataOutBase::write_pvd_record(series, written_);
  }
}

template struct RubbingBeam<SerialLinearAlgebra>;
template struct RubbingBeam<DistributedLinearAlgebra>;
