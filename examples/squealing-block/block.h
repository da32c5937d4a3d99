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

/// A block of polymer, glued by its upper face, whose four steel pads rub on a belt. Units: m, kg, s, N.
struct BlockModel {
  double length = 0.1, width = 0.05, height = 0.05;  ///< along the belt, across it, above it
  double young = 2e9, poisson = 0.35, density = 1500;
  double damping = 8e-7;  ///< C = damping K, of the block and of what holds the pads [s]

  double pad_mass = 0.03, pad_stiffness = 8e6;  ///< each, held by rubber
  double pad_radius = 8e-3;                     ///< within which nodes hold it
  double belt_speed = 0.1;
  /// Friction of a pad at rest and at high speed [N], and the speed over which it falls.
  double at_rest = 60, kinetic = 45, falls_over = 0.1;
  double tilt = 0.1;  ///< the block is pressed down unevenly: by these parts more or less from pad to pad

  std::vector<dealii::Point<3>> pads() const;  ///< centres
};

/// Trilinear elements; as any deal.II application assembles them.
struct Block {
  /// @param n_cells Over the height, and as many across; twice as many along
  Block(const BlockModel& model, unsigned int n_cells);

  /// The pads as new DoFs behind those of the mesh: each with springs to the nodes around.
  halfdof::DealIIOptions<dealii::SparseMatrix<double>> pads(const BlockModel& model) const;
  /// Friction between pads and belt.
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
