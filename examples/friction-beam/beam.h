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

/// The rubber, isotropic in plane strain, with an internal damping in parallel (Kelvin and Voigt).
struct Rubber {
  double density = 1100;  ///< [kg/m^3]
  double young = 10e6;    ///< [Pa]
  double poisson = 0.4;
  double damping = 20e-6;  ///< stress of a strain rate over that of a strain [s]

  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double mu() const { return young / (2 * (1 + poisson)); }
};

/**
 * The finite-element model, as any deal.II application assembles it: plane strain,
 * @f[ \rho\,\ddot u = \nabla\cdot(\sigma(u) + \tau\,\sigma(\dot u)), \qquad
 *     \sigma = \lambda\,\mathrm{tr}\,\varepsilon\, I + 2\mu\,\varepsilon, @f]
 * pressed down from above. The lining along the rubbing side is so thin that its density and damping are
 * zero: the nodes that touch the support have stiffness alone. Matrices are assembled without constraints.
 *
 * Units: m, kg, s, N; everything per metre of width.
 */
template <class LinearAlgebra>
struct RubbingBeam {
  using Matrix = typename LinearAlgebra::Matrix;
  using Vector = typename LinearAlgebra::Vector;

  explicit RubbingBeam(const std::string& mesh_file, unsigned int n_refinements);

  /// At rest under a pressure [Pa], with the rubbing side held on the support, free to slide along it.
  Vector at_rest(double pressure) const;

  /// Force along the support for a unit displacement while all of the rubbing side sticks [N/m^2].
  double sticking_stiffness() const;

  /// What holds the clamped end while the beam rests: force along x and along y [N/m].
  std::array<double, 2> clamping_force(const Vector& displacement, double pressure) const;

  /// K with friction that follows the normal reactions, while the rubbing side slides over a support that
  /// moves along -x: r_t = -mu r_n, r_n = (K u)_y. Unsymmetric; displacements along y are to be held there.
  void assemble_sliding_stiffness(double friction_coefficient, Matrix& sliding) const;
  /// Clamped, and held along y on the rubbing side.
  dealii::AffineConstraints<double> touching() const;

  /// @param contact Code of the contact state in x-DoFs, pressure [Pa] in y-DoFs of the rubbing side.
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
  Vector unit_pressure;  ///< the load of a pressure of 1 Pa on the loaded side

 private:
  using Constraints = dealii::AffineConstraints<double>;

  void read_mesh(const std::string& file, unsigned int n_refinements);
  /// What one cell adds to the matrices, and to the load of a unit pressure.
  struct CellTerms {
    std::vector<dealii::types::global_dof_index> dofs;
    dealii::FullMatrix<double> mass, damping, stiffness;
    dealii::Vector<double> unit_pressure;
  };
  void for_each_cell(const std::function<void(const CellTerms&)>& use) const;
  dealii::IndexSet relevant_dofs() const;
  dealii::IndexSet dofs_on(dealii::types::boundary_id id, unsigned int component) const;
  /// Clamped; on the rubbing side the components in the mask are held, the displacement along x at `slide`.
  Constraints held(const dealii::ComponentMask& mask, double slide) const;
  Vector solve_static(const Constraints& held, double pressure) const;

  std::vector<std::pair<double, std::string>> written_;  ///< times and files of the VTU series
};
