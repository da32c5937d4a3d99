// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/model_builders.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>

/// The material and the dimensions of a plastic cantilever in plane stress.
struct Material {
  double length = 1, height = 0.02, width = 0.02;     ///< [m]
  double young = 2e9, poisson = 0.3, density = 1200;  ///< [Pa], [-], [kg/m^3]
  double relaxation = 2e-4;                           ///< C = relaxation K [s]
};

/// The finite-element model of the cantilever with biquadratic elements, clamped on the left.
class Beam {
 public:
  explicit Beam(const Material& material);

  /// Returns the DoF of the deflection in the middle of the free end.
  dealii::types::global_dof_index tip() const;

  dealii::Triangulation<2> triangulation;
  dealii::FESystem<2> fe;
  dealii::DoFHandler<2> dof_handler;
  dealii::AffineConstraints<double> constraints;
  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> mass, damping, stiffness;

 private:
  void assemble(const Material& material);
  Material material_;
};

/**
 * A snubber below the tip, which is connected to the tip by a node y without mass:
 *
 * @code{.unparsed}
 *     tip --- k_t --- y --+-- k y + k_3 y^3 ------ ground
 *                         +-- c y' + d y'|y'| ---- ground
 * @endcode
 */
struct Snubber {
  double k_t = 400, k = 40;  ///< [N/m]
  double k_3 = 4e6;          ///< [N/m^3]
  double c = 0.5;            ///< [N s/m]
  double d = 20;             ///< [N s^2/m^2]

  halfdof::LumpedElements elements(halfdof::GlobalIndex tip, halfdof::GlobalIndex node) const;
  /// Returns the dynamic stiffness of the snubber at the tip for small motions about an equilibrium at y
  /// [N/m]. @param omega The angular frequency [rad/s]
  halfdof::Complex dynamic_stiffness(double omega, double y) const;
  /// Returns y in equilibrium if the displacement of the tip is u.
  double rest(double u) const;
};
