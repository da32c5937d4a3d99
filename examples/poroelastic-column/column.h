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
 * The finite-element model of a column of saturated soil, whose consolidation is so slow that inertia is
 * negligible (Biot 1941),
 * @f[ -\nabla\cdot(\lambda\,\nabla\cdot u\,I + 2 G\,\epsilon(u) - \alpha p\,I) = 0, \qquad
 *     \alpha\,\nabla\cdot\dot u + S\,\dot p - k\,\Delta p = 0, @f]
 * with quadratic elements for u and linear elements for p (Taylor-Hood elements). In the weak form, M is zero
 * and
 * @f[ C = \begin{bmatrix} 0 & 0 \\ \alpha B & S \end{bmatrix}, \qquad
 *     K = \begin{bmatrix} A & -\alpha B^T \\ 0 & k L \end{bmatrix}, \qquad
 *     B_{ij} = (\psi_i, \nabla\cdot\phi_j): @f]
 * The equations of equilibrium have null rows in C, but the columns of u in C are not null.
 *
 * Boundary conditions: the walls on the left and on the right are frictionless, the rock at the bottom is
 * rough, and all three are impermeable; the surface is drained and loaded. Units: m, MPa, years; all
 * quantities are per metre of width.
 */
struct Column {
  static constexpr double height = 10, width = 1;  ///< [m]

  Column(const Soil& soil, unsigned int n_elements);

  dealii::Triangulation<2> triangulation;
  dealii::FESystem<2> fe;  ///< quadratic elements for u_x and u_y, linear elements for p
  dealii::DoFHandler<2> dof_handler;
  dealii::AffineConstraints<double> constraints;
  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> mass, damping, stiffness;  ///< the mass matrix is empty
  dealii::Vector<double> unit_load;  ///< load vector of a pressure of 1 MPa on the surface

  /// Returns p at a vertex on the left wall at the depth z below the surface.
  double pressure_at(const dealii::Vector<double>& field, double z) const;
  /// Returns the settlement of the surface, -u_y at the left wall.
  double settlement(const dealii::Vector<double>& field) const;

 private:
  void constrain_boundary();
  void assemble(const Soil& soil);
  double value_at(const dealii::Vector<double>& field, double z, unsigned int component) const;
};
