// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <deal.II/base/point.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>

#include "model.h"
#include <map>
#include <string>

/**
 * The finite-element model of the string without its attachment, as any deal.II application assembles it:
 * @f[ \int v\, \mu\, \ddot u + v'\, T\, u' \,dx = 0, \qquad u(0) = u(L) = 0, @f]
 * with quadratic elements. Units: m, kg, s, N; u in any unit.
 */
struct AssembledString {
  /// @param n_refinements Number of refinements, each of which halves every element
  /// @throws std::runtime_error if the mesh cannot be read
  AssembledString(const StringModel& model, const std::string& mesh, unsigned int n_refinements = 0);

  /// Returns the DoF at the position x [m]. @throws std::runtime_error if the mesh has no DoF there
  halfdof::GlobalIndex dof_at(double x) const;
  std::map<dealii::types::global_dof_index, dealii::Point<1>> support_points() const;

  dealii::Triangulation<1> triangulation;
  dealii::FE_Q<1> fe;
  dealii::DoFHandler<1> dof_handler;
  dealii::AffineConstraints<double> constraints;
  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> mass, damping, stiffness;  ///< the damping matrix is empty
};
