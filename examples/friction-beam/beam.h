// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <deal.II/base/point.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/lac/full_matrix.h>

#include <linear_algebra.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

/// An isotropic rubber in plane strain with internal damping (Kelvin-Voigt model).
struct Rubber {
  double density = 1100;  ///< [kg/m^3]
  double young = 10e6;    ///< [Pa]
  double poisson = 0.4;
  double damping = 20e-6;  ///< ratio of viscous and elastic constants, tau [s]

  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double mu() const { return young / (2 * (1 + poisson)); }
};

/**
 * The finite-element model, as any deal.II application assembles it: plane strain,
 * @f[ \rho\,\ddot u = \nabla\cdot(\sigma(u) + \tau\,\sigma(\dot u)), \qquad
 *     \sigma = \lambda\,\mathrm{tr}\,\varepsilon\, I + 2\mu\,\varepsilon, @f]
 * with a pressure on the upper side. The density and the damping of the thin lining along the rubbing side
 * are neglected, so that the nodes in contact with the support have only stiffness. Matrices are assembled
 * without constraints.
 *
 * Units: m, kg, s, N; all quantities are per metre of width.
 */
template <class LinearAlgebra>
struct RubbingBeam {
  using Matrix = typename LinearAlgebra::Matrix;
  using Vector = typename LinearAlgebra::Vector;

  explicit RubbingBeam(const std::string& mesh_file, unsigned int n_refinements);

  /// Returns the displacements at rest under a pressure [Pa], where the rubbing side is held along y and free
  /// along x.
  Vector at_rest(double pressure) const;

  /// Returns the force along the support for a unit displacement of the support, if the whole rubbing side
  /// sticks [N/m^2].
  double sticking_stiffness() const;

  /// Returns the reaction of the clamped end in a static state, with its components along x and y [N/m].
  std::array<double, 2> clamping_force(const Vector& displacement, double pressure) const;

  /// Assembles the unsymmetric stiffness matrix with Coulomb friction of the rubbing side, which slides over
  /// a support that moves along -x: r_t = -mu r_n with the normal reactions r_n = (K u)_y. The displacements
  /// of the rubbing side along y have to be constrained.
  void assemble_sliding_stiffness(double friction_coefficient, Matrix& sliding) const;
  /// Returns the constraints of a clamped beam whose rubbing side is held along y.
  dealii::AffineConstraints<double> touching() const;

  /// Writes displacements and contact states to a VTU file.
  /// @param contact The code of the contact state in x-DoFs and the pressure [Pa] in y-DoFs of the rubbing
  ///     side
  void write_vtu(const Vector& displacement, const Vector& contact, const std::string& folder,
                 unsigned int number, double time);

  static constexpr double length = 0.2, height = 0.02;  ///< [m], as in meshes/friction-beam.geo
  static constexpr dealii::types::boundary_id clamped_end = 1, rubbing_side = 2, loaded_side = 3;

  Rubber rubber;
  LinearAlgebra linear_algebra;
  typename LinearAlgebra::Mesh mesh;
  dealii::MappingQ1<2> mapping;
  dealii::FESystem<2> fe;
  dealii::DoFHandler<2> dof_handler;
  dealii::AffineConstraints<double> constraints;
  Matrix mass, damping, stiffness;
  Vector unit_pressure;  ///< load vector of a pressure of 1 Pa on the loaded side

 private:
  using Constraints = dealii::AffineConstraints<double>;

  void read_mesh(const std::string& file, unsigned int n_refinements);
  /// The contributions of one cell to the matrices and to the load of a unit pressure.
  struct CellTerms {
    std::vector<dealii::types::global_dof_index> dofs;
    dealii::FullMatrix<double> mass, damping, stiffness;
    dealii::Vector<double> unit_pressure;
  };
  void for_each_cell(const std::function<void(const CellTerms&)>& use) const;
  dealii::IndexSet relevant_dofs() const;
  dealii::IndexSet dofs_on(dealii::types::boundary_id id, unsigned int component) const;
  /// Returns the constraints of the clamped end and of the rubbing side, where the components in the mask are
  /// constrained. The displacement along x is `support_displacement`.
  Constraints held_dofs(const dealii::ComponentMask& mask, double support_displacement) const;
  Vector solve_static(const Constraints& held, double pressure) const;

  std::vector<std::pair<double, std::string>> written_;  ///< times and files of the VTU series
};
