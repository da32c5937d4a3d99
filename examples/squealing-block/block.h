// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/assembled.h>
#include <halfdof/inclusions/inclusions.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>

#include <vector>

/// A block of polymer whose upper face is fixed, and whose four steel pads slide on a belt. Units: m, kg, s,
/// N.
struct BlockModel {
  double length = 0.1, width = 0.05, height = 0.05;  ///< dimensions along, across and above the belt
  double young = 2e9, poisson = 0.35, density = 1500;
  double damping = 8e-7;  ///< ratio of damping and stiffness of the block and of the springs of the pads [s]
  double pad_mass = 0.03, pad_stiffness = 8e6;  ///< mass of a pad, and stiffness of its rubber support
  double pad_radius = 8e-3;                     ///< radius within which nodes are connected to the pad
  double belt_speed = 0.1;
  /// The friction force of a pad at rest and at high speed [N], and the speed over which the force decreases
  /// [m/s].
  double at_rest = 60, kinetic = 45, falls_over = 0.1;
  double tilt = 0.1;  ///< relative increase of the friction force from one pad to the next

  std::vector<dealii::Point<3>> pads() const;  ///< centres of the pads
};

/// The finite-element model of the block with trilinear elements, as any deal.II application assembles it.
struct Block {
  /// @param n_cells The number of cells over the height and over the width; there are twice as many along the
  ///     belt
  Block(const BlockModel& model, unsigned int n_cells);

  /// Returns the pads as attachments. Each pad is a new DoF after the DoFs of the mesh, with springs to the
  /// nodes around it.
  halfdof::DealIIOptions<dealii::SparseMatrix<double>> pads(const BlockModel& model) const;
  /// Returns the friction between the pads and the belt.
  std::vector<halfdof::Inclusion> friction(const BlockModel& model) const;

  dealii::Triangulation<3> triangulation;
  dealii::FESystem<3> fe;
  dealii::DoFHandler<3> dof_handler;
  dealii::AffineConstraints<double> constraints;
  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> mass, damping, stiffness;

 private:
  void assemble(const BlockModel& model);
};
