// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>

#include "ceramic.h"
#include <string>

/// What the upper electrode is connected to; the lower one is the ground.
enum class Electrode {
  grounded,  ///< the bar is short-circuited
  floating   ///< one potential of its own, without charge: open circuit
};

/**
 * Elasticity and electrostatics of a bar with electrodes below and above, free of stress and field across its
 * width. With the potential phi, E = -grad phi,
 * @f[ \rho \ddot u = \nabla\cdot T, \quad \nabla\cdot D = 0, \qquad
 *     \begin{bmatrix} T \\ D \end{bmatrix} = H \begin{bmatrix} S(u) \\ \nabla\phi \end{bmatrix}, \qquad
 *     H = \begin{bmatrix} c & e^T \\ e & -\epsilon^S \end{bmatrix} @f]
 * in weak form: M holds rho on u alone, K is symmetric and indefinite. The potentials have neither mass nor
 * damping: they are algebraic DoFs, on which K is negative definite. The equation of a floating electrode
 * reads: row of K times q = -Q, with Q its charge.
 *
 * The plane x = 0 is one of symmetry: the bar is half of a free one of twice its length. Units: m, kg, s, V,
 * C, all per metre of width.
 */
struct Bar {
  static constexpr double length = 40e-3, thickness = 1e-3;  ///< as in the mesh [m]

  /// @throws std::runtime_error if the mesh cannot be read
  Bar(const Ceramic& ceramic, const std::string& mesh, Electrode upper);

  dealii::Triangulation<2> triangulation;
  dealii::FESystem<2> fe;  ///< u_x, u_y, phi: all quadratic
  dealii::DoFHandler<2> dof_handler;
  dealii::AffineConstraints<double> constraints;
  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> mass, damping, stiffness;  ///< no damping: left empty
  /// The DoF that the others of a floating electrode follow.
  halfdof::GlobalIndex electrode = -1;

 private:
  void hold_supports();
  void make_equipotential();
  void assemble(const Ceramic& ceramic);
};
