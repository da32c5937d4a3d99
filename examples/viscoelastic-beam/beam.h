// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <deal.II/base/point.h>
#include <deal.II/fe/fe_system.h>

#include "linear_algebra.h"
#include <string>
#include <vector>

/// An isotropic elastic material in plane strain.
struct Material {
  double density;  ///< [kg/m^3]
  double young;    ///< [Pa]
  double poisson;

  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double mu() const { return young / (2 * (1 + poisson)); }
};

/**
 * The finite-element model, as any deal.II application assembles it: plane strain,
 * @f[ \rho\,\ddot u = \nabla\cdot\sigma(u), \qquad
 *     \sigma = \lambda\,\mathrm{tr}\,\varepsilon\, I + 2\mu\,\varepsilon, @f]
 * clamped on the left. The density of the light joint between beam and tip mass is neglected. The matrix
 * `polymer_stiffness` is the contribution of the damping layer to the stiffness.
 *
 * Units: m, kg, s, N; all quantities are per metre of width.
 */
template <class LinearAlgebra>
struct Beam {
  using Matrix = typename LinearAlgebra::Matrix;
  using Vector = typename LinearAlgebra::Vector;

  Beam(const std::string& mesh_file, unsigned int degree, unsigned int n_refinements);

  /// Returns the displacements in equilibrium under a downward force on the tip mass [N/m].
  Vector pulled_down(double force) const;

  /// Returns the displacement of a vertex in x or y (component 0 or 1) [m] on all processes.
  double displacement_at(const Vector& displacement, const dealii::Point<2>& vertex,
                         unsigned int component) const;

  void write_vtu(const Vector& displacement, const std::string& folder, unsigned int number, double time);

  LinearAlgebra linear_algebra;
  typename LinearAlgebra::Mesh mesh;
  dealii::FESystem<2> fe;
  dealii::DoFHandler<2> dof_handler;
  dealii::AffineConstraints<double> constraints;
  Matrix mass, stiffness, polymer_stiffness;
  Vector pull;  ///< load vector of a unit force downwards, distributed over the tip mass

  inline static const dealii::Point<2> middle_of_joint{0.303, 0.0015}, end_of_tip_mass{0.326, 0.0015};

 private:
  void read_mesh(const std::string& file, unsigned int n_refinements);
  void assemble();

  std::vector<std::pair<double, std::string>> written_;  ///< times and files of the VTU series
};
