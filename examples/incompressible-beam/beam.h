// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>

#include <memory>

/// Rubber in plane strain, in a cantilever. Units: m, kg, s, N, per metre of width.
struct Rubber {
  double density = 1100;  ///< [kg/m^3]
  double mu = 0.6e6;      ///< shear modulus [Pa]
  double length = 0.2, height = 0.01;

  /// Shear and bulk parts of a compressible one with Poisson's ratio nu: lambda = 2 mu nu / (1 - 2 nu) [Pa].
  double lambda(double nu) const { return 2 * mu * nu / (1 - 2 * nu); }
  /// First frequency of a slender beam, plane strain and no change of volume: E' = 4 mu [Hz].
  double first_frequency() const;
};

enum class Formulation {
  mixed,        ///< displacement (quadratic) and pressure (linear): Taylor and Hood
  displacement  ///< displacement (quadratic) alone; nu below 1/2
};

/**
 * Clamped on the left, by finite elements on rectangles,
 * @f[ \rho\,\ddot u = \nabla\cdot(2\mu\,\varepsilon(u) - p I), \qquad \nabla\cdot u + p / \lambda = 0, @f]
 * in weak form symmetric: the columns of p are null in M, and -M_p / lambda on their diagonal of K vanishes
 * where nothing is compressible (compressibility 1 / lambda = 0). The displacement formulation has lambda
 * (div v, div u) instead of p.
 */
struct Beam {
  Beam(const Rubber& rubber, Formulation formulation, double compressibility,
       unsigned int n_cells_over_height);

  dealii::Triangulation<2> triangulation;
  std::unique_ptr<dealii::FESystem<2>> fe;
  dealii::DoFHandler<2> dof_handler;
  dealii::AffineConstraints<double> constraints;
  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> mass, damping, stiffness;  ///< no damping: left empty

 private:
  void assemble(const Rubber& rubber, Formulation formulation, double compressibility);
};
