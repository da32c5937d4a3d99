// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/point.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_sparsity_pattern.h>
#include <deal.II/lac/trilinos_vector.h>

/**
 * The finite-element model of the bracket, as any deal.II application assembles it in three dimensions,
 * @f[ \rho\,\ddot u = \nabla\cdot\sigma(u), \qquad
 *     \sigma = \lambda\,\mathrm{tr}\,\varepsilon\, I + 2\mu\,\varepsilon, @f]
 * with trilinear elements. The mesh is refined at the inner edge of the L and has hanging nodes. The material
 * is aluminium, except for a rubber bushing at the top of the upright leg, whose back is clamped. The matrix
 * `bushing_stiffness` is the contribution of the rubber to the stiffness.
 *
 * Units: m, kg, s, N. Directions: x along the arm, z upwards.
 */
struct Bracket {
  using Matrix = dealii::TrilinosWrappers::SparseMatrix;
  using Vector = dealii::TrilinosWrappers::MPI::Vector;
  using Point = dealii::Point<3>;

  /// @param n_refinements Number of refinements of the cells at the inner edge
  explicit Bracket(unsigned int n_refinements);

  /// Returns a vector of zeros.
  Vector zero() const;

  dealii::parallel::distributed::Triangulation<3> mesh;
  dealii::FESystem<3> fe;
  dealii::MappingQ<3> mapping;
  dealii::DoFHandler<3> dof_handler;
  dealii::AffineConstraints<double> constraints;
  Matrix mass, stiffness, bushing_stiffness;

  static constexpr dealii::types::boundary_id clamped = 1, patch = 2;
  /// The vertices of the arm at which the rods end, and the position of the point mass that the rods carry.
  inline static const Point rod_ends[] = {{0.12, 0., 0.04}, {0.12, 0.04, 0.04}, {0.12, 0.02, 0.02}};
  inline static const Point mass_point{0.16, 0.02, 0.02};
  /// The vertex of the arm to which the friction damper is attached.
  inline static const Point damper{0.08, 0., 0.};

 private:
  void make_mesh(unsigned int n_refinements);
  void make_matrices();
  void assemble();

  dealii::IndexSet owned_;
};
