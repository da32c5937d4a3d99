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

/// The connection of the upper electrode. The lower electrode is always grounded.
enum class Electrode {
  grounded,  ///< the electrodes are short-circuited
  floating   ///< the electrode has one unknown potential and no charge (open circuit)
};

/**
 * The finite-element model of a piezoelectric bar with electrodes on its lower and upper side. Stress and
 * electric field across the width are zero. With the potential phi, E = -grad phi,
 * @f[ \rho \ddot u = \nabla\cdot T, \quad \nabla\cdot D = 0, \qquad
 *     \begin{bmatrix} T \\ D \end{bmatrix} = H \begin{bmatrix} S(u) \\ \nabla\phi \end{bmatrix}, \qquad
 *     H = \begin{bmatrix} c & e^T \\ e & -\epsilon^S \end{bmatrix} @f]
 * In the weak form, M has entries only for u, and K is symmetric and indefinite. The potentials have neither
 * mass nor damping, so that they are algebraic DoFs; their block of K is negative definite. The equation of a
 * floating electrode is k^T q = -Q, where k^T is the row of K of the electrode and Q its charge.
 *
 * The plane x = 0 is a plane of symmetry: the model is one half of a free bar. Units: m, kg, s, V, C; all
 * quantities are per metre of width.
 */
struct Bar {
  static constexpr double length = 40e-3, thickness = 1e-3;  ///< dimensions of the mesh [m]

  /// @throws std::runtime_error if the mesh cannot be read
  Bar(const Ceramic& ceramic, const std::string& mesh, Electrode upper);

  dealii::Triangulation<2> triangulation;
  dealii::FESystem<2> fe;  ///< quadratic elements for u_x, u_y and phi
  dealii::DoFHandler<2> dof_handler;
  dealii::AffineConstraints<double> constraints;
  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> mass, damping, stiffness;  ///< the damping matrix is empty

  /// The DoF of the potential of a floating electrode; -1 if the electrode is grounded.
  halfdof::GlobalIndex electrode = -1;

 private:
  void constrain_supports();
  void make_equipotential();
  void assemble(const Ceramic& ceramic);
};
