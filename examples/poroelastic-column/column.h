// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>
#include <deal.II/lac/vector.h>

#include "soil.h"

/**
 * A column of saturated soil that consolidates so slowly that nothing has inertia (Biot 1941),
 * @f[ -\nabla\cdot(\lambda\,\nabla\cdot u\,I + 2 G\,\epsilon(u) - \alpha p\,I) = 0, \qquad
 *     \alpha\,\nabla\cdot\dot u + S\,\dot p - k\,\Delta p = 0, @f]
 * with quadratic elements for u and linear ones for p (Taylor and Hood). In weak form there is no mass,
 * @f[ C = \begin{bmatrix} 0 & 0 \\ \alpha B & S \end{bmatrix}, \qquad
 *     K = \begin{bmatrix} A & -\alpha B^T \\ 0 & k L \end{bmatrix}, \qquad
 *     B_{ij} = (\psi_i, \nabla\cdot\phi_j): @f]
 * the equations of equilibrium are null rows of C, but none of its columns of u is null.
 *
 * Smooth walls left and right, rough rock below, all of them tight; the surface is drained and loaded. Units:
 * m, MPa, years; per metre across.
 */
struct Column {
  static constexpr double height = 10, width = 1;  ///< [m]

  Column(const Soil& soil, unsigned int n_elements);

  dealii::Triangulation<2> triangulation;
  dealii::FESystem<2> fe;  ///< u_x, u_y: quadratic; p: linear
  dealii::DoFHandler<2> dof_handler;
  dealii::AffineConstraints<double> constraints;
  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> mass, damping, stiffness;  ///< no mass: left empty
  dealii::Vector<double> pressed;                         ///< the load on the surface for 1 MPa

  /// p at a vertex on the left wall, z below the surface.
  double pressure_at(const dealii::Vector<double>& field, double z) const;
  /// -u_y at the surface, on the left wall.
  double settlement(const dealii::Vector<double>& field) const;

 private:
  void hold();
  void assemble(const Soil& soil);
  double value_at(const dealii::Vector<double>& field, double z, unsigned int component) const;
};
