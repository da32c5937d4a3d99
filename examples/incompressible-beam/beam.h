// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>

#include <memory>

/// The material and the dimensions of a rubber cantilever in plane strain. Units: m, kg, s, N, per metre of
/// width.
struct Rubber {
  double density = 1100;               ///< [kg/m^3]
  double mu = 0.6e6;                   ///< shear modulus [Pa]
  double length = 0.2, height = 0.01;  ///< [m]

  /// Returns the Lame constant lambda = 2 mu nu / (1 - 2 nu) of a compressible rubber with Poisson's ratio nu
  /// [Pa].
  double lambda(double nu) const { return 2 * mu * nu / (1 - 2 * nu); }
  /// Returns the first frequency of a slender incompressible beam in plane strain, whose modulus is E' = 4 mu
  /// [Hz].
  double first_frequency() const;
};

/// The unknowns of the finite-element formulation.
enum class Formulation {
  mixed,        ///< quadratic displacements and linear pressure (Taylor-Hood elements)
  displacement  ///< quadratic displacements alone, for nu < 1/2
};

/**
 * The finite-element model of the cantilever, which is clamped on the left, with rectangular elements,
 * @f[ \rho\,\ddot u = \nabla\cdot(2\mu\,\varepsilon(u) - p I), \qquad \nabla\cdot u + p / \lambda = 0. @f]
 * The weak form is symmetric. The columns of p in M are null. The block of p in K is -M_p / lambda with the
 * mass matrix M_p of the pressure, and is zero for an incompressible material (compressibility 1 / lambda =
 * 0). The displacement formulation has the term lambda (div v, div u) in place of p.
 */
struct Beam {
  Beam(const Rubber& rubber, Formulation formulation, double compressibility,
       unsigned int n_cells_over_height);

  dealii::Triangulation<2> triangulation;
  std::unique_ptr<dealii::FESystem<2>> fe;
  dealii::DoFHandler<2> dof_handler;
  dealii::AffineConstraints<double> constraints;
  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> mass, damping, stiffness;  ///< the damping matrix is empty

 private:
  void assemble(const Rubber& rubber, Formulation formulation, double compressibility);
};
