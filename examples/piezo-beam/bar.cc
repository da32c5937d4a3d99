// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bar.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/tensor.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_in.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/numerics/vector_tools.h>

#include <fstream>
#include <map>
#include <stdexcept>
#include <vector>

using namespace dealii;

namespace {

/// The boundary ids of the mesh.
constexpr types::boundary_id lower_electrode = 1, upper_electrode = 3, symmetry_plane = 4;

const FEValuesExtractors::Scalar u_x(0), u_y(1), phi(2);

/// Returns the matrix H that maps (S_xx, S_yy, 2 S_xy, dphi/dx, dphi/dy) to (T_xx, T_yy, T_xy, D_x, D_y). The
/// equations of the Ceramic are solved for the stress: c = s^-1, e = d c, epsilon^S = epsilon - e d^T.
Tensor<2, 5> constitutive_matrix(const Ceramic& m) {
  const double det = m.s_11 * m.s_33 - m.s_13 * m.s_13;
  const double c_11 = m.s_33 / det, c_13 = -m.s_13 / det, c_33 = m.s_11 / det, c_55 = 1 / m.s_55;
  const double e_31 = m.d_31 * c_11 + m.d_33 * c_13, e_33 = m.d_31 * c_13 + m.d_33 * c_33,
               e_15 = m.d_15 * c_55;
  Tensor<2, 5> H;
  H[0][0] = c_11;
  H[1][1] = c_33;
  H[2][2] = c_55;
  H[0][1] = H[1][0] = c_13;
  H[0][4] = H[4][0] = e_31;
  H[1][4] = H[4][1] = e_33;
  H[2][3] = H[3][2] = e_15;
  H[3][3] = -(m.epsilon_11 - e_15 * m.d_15);
  H[4][4] = -(m.epsilon_33 - e_31 * m.d_31 - e_33 * m.d_33);
  return H;
}

/// Returns (S_xx, S_yy, 2 S_xy, dphi/dx, dphi/dy) for a shape function of one component.
Tensor<1, 5> generalized_strain(unsigned int component, const Tensor<1, 2>& gradient) {
  Tensor<1, 5> strain;
  if (component == 2) {
    strain[3] = gradient[0];
    strain[4] = gradient[1];
  } else {
    strain[component] = gradient[component];
    strain[2] = gradient[1 - component];
  }
  return strain;
}

}  // namespace

Bar::Bar(const Ceramic& ceramic, const std::string& mesh, Electrode upper)
    : fe(FE_Q<2>(2), 3), dof_handler(triangulation) {
  std::ifstream file(mesh);
  if (!file) throw std::runtime_error("The mesh " + mesh + " cannot be opened.");
  GridIn<2>(triangulation).read_msh(file);
  dof_handler.distribute_dofs(fe);

  constrain_supports();
  if (upper == Electrode::floating)
    make_equipotential();
  else
    VectorTools::interpolate_boundary_values(dof_handler, upper_electrode, Functions::ZeroFunction<2>(3),
                                             constraints, fe.component_mask(phi));
  constraints.close();

  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints);
  sparsity.copy_from(pattern);
  mass.reinit(sparsity);
  stiffness.reinit(sparsity);
  assemble(ceramic);
}

void Bar::constrain_supports() {
  VectorTools::interpolate_boundary_values(dof_handler, symmetry_plane, Functions::ZeroFunction<2>(3),
                                           constraints, fe.component_mask(u_x));
  VectorTools::interpolate_boundary_values(dof_handler, lower_electrode, Functions::ZeroFunction<2>(3),
                                           constraints, fe.component_mask(phi));

  // One vertical displacement on the axis is fixed, because longitudinal vibrations do not move it.
  std::map<types::global_dof_index, Point<2>> points;
  DoFTools::map_dofs_to_support_points(MappingQ1<2>(), dof_handler, points, fe.component_mask(u_y));
  for (const auto& [dof, point] : points)
    if (point.distance(Point<2>(0, thickness / 2)) < 1e-6 * thickness) constraints.add_line(dof);
}

void Bar::make_equipotential() {
  const IndexSet potentials =
      DoFTools::extract_boundary_dofs(dof_handler, fe.component_mask(phi), {upper_electrode});
  const types::global_dof_index first = *potentials.begin();
  for (const types::global_dof_index dof : potentials)
    if (dof != first) {
      constraints.add_line(dof);
      constraints.add_entry(dof, first, 1.);
    }
  electrode = static_cast<halfdof::GlobalIndex>(first);
}

void Bar::assemble(const Ceramic& ceramic) {
  const Tensor<2, 5> H = constitutive_matrix(ceramic);
  const QGauss<2> quadrature(fe.degree + 1);
  FEValues<2> values(fe, quadrature, update_values | update_gradients | update_JxW_values);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_mass(n, n), cell_stiffness(n, n);
  std::vector<types::global_dof_index> dofs(n);

  for (const auto& cell : dof_handler.active_cell_iterators()) {
    values.reinit(cell);
    cell_mass = 0;
    cell_stiffness = 0;
    for (const unsigned int q : values.quadrature_point_indices())
      for (const unsigned int i : values.dof_indices()) {
        const unsigned int a = fe.system_to_component_index(i).first;
        const Tensor<1, 5> flux = H * generalized_strain(a, values.shape_grad(i, q)) * values.JxW(q);
        for (const unsigned int j : values.dof_indices()) {
          const unsigned int b = fe.system_to_component_index(j).first;
          cell_stiffness(j, i) += generalized_strain(b, values.shape_grad(j, q)) * flux;
          if (a == b && a != 2)
            cell_mass(j, i) +=
                ceramic.density * values.shape_value(j, q) * values.shape_value(i, q) * values.JxW(q);
        }
      }
    cell->get_dof_indices(dofs);
    constraints.distribute_local_to_global(cell_mass, dofs, mass);
    constraints.distribute_local_to_global(cell_stiffness, dofs, stiffness);
  }
}
