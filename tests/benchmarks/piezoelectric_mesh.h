// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/assembled.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>
#include <deal.II/numerics/vector_tools_boundary.h>

#include "piezoelectric_body.h"

namespace halfdof::benchmark {

/**
 * The equations of PiezoelectricBody on a disk or ball as deal.II meshes it, refined once more where x > 0.4,
 * with hanging nodes, clamped and grounded on the boundary where x < -0.5: components 0 to dim-1
 * displacements, dim the potential, dim+1 the internal variable of a cell.
 */
template <int dim>
class PiezoelectricMesh {
 public:
  /// @param relaxation_time Of the Zener branches
  PiezoelectricMesh(unsigned int n_refinements, double relaxation_time)
      : fe_(dealii::FE_Q<dim>(1), dim, dealii::FE_Q<dim>(1), 1, dealii::FE_DGQ<dim>(0), 1),
        dofs_(mesh_),
        relaxation_time_(relaxation_time) {
    dealii::GridGenerator::hyper_ball(mesh_);
    mesh_.refine_global(n_refinements);
    refine_and_mark();
    dofs_.distribute_dofs(fe_);
    make_constraints();
    dealii::DynamicSparsityPattern pattern(dofs_.n_dofs());
    dealii::DoFTools::make_sparsity_pattern(dofs_, pattern, constraints_, false);
    sparsity_.copy_from(pattern);
    for (auto* matrix : {&mass_, &damping_, &stiffness_})
      matrix->reinit(sparsity_);
    assemble();
  }

  AssembledFromDealII<dealii::SparseMatrix<double>> system() const {
    return assembled_from_dealii(mass_, damping_, stiffness_, constraints_, {}, dofs_);
  }

 private:
  struct Equations : PiezoelectricBody<dim> {
    using PiezoelectricBody<dim>::law, PiezoelectricBody<dim>::n_strains;
  };
  static constexpr int n_strains = Equations::n_strains;

  void refine_and_mark() {
    for (const auto& cell : mesh_.active_cell_iterators())
      if (cell->center()[0] > 0.4) cell->set_refine_flag();
    mesh_.execute_coarsening_and_refinement();
    for (const auto& cell : mesh_.active_cell_iterators())
      for (const auto& face : cell->face_iterators())
        if (face->at_boundary() && face->center()[0] < -0.5) face->set_boundary_id(1);
  }

  void make_constraints() {
    dealii::ComponentMask held(dim + 2, true);
    held.set(dim + 1, false);
    dealii::DoFTools::make_hanging_node_constraints(dofs_, constraints_);
    dealii::VectorTools::interpolate_boundary_values(dofs_, 1, dealii::Functions::ZeroFunction<dim>(dim + 2),
                                                     constraints_, held);
    constraints_.close();
  }

  /// At one point of a cell: strain and field of its DoFs in the order of PiezoelectricBody's law, and
  /// displacements.
  void evaluate(const dealii::FEValues<dim>& values, unsigned int point, MultiVector& B,
                MultiVector& N) const {
    B.setZero();
    N.setZero();
    for (unsigned int i = 0; i < fe_.n_dofs_per_cell(); ++i) {
      const auto component = static_cast<int>(fe_.system_to_component_index(i).first);
      const auto gradient = values.shape_grad(i, point);
      const auto slope = [&](int d) { return gradient[static_cast<unsigned int>(d)]; };
      if (component < dim) {
        N(component, i) = values.shape_value(i, point);
        B(component, i) = slope(component);
        for (int d = 0; d < dim; ++d)
          if (d != component) B(dim == 2 ? 2 : 6 - d - component, i) = slope(d);
      } else if (component == dim) {
        for (int d = 0; d < dim; ++d)
          B(n_strains + d, i) = slope(d);
      }
    }
  }

  void assemble() {
    const dealii::QGauss<dim> quadrature(2);
    dealii::FEValues<dim> values(
        fe_, quadrature, dealii::update_values | dealii::update_gradients | dealii::update_JxW_values);
    const unsigned int n = fe_.n_dofs_per_cell();
    const unsigned int inner = fe_.component_to_system_index(dim + 1, 0);
    const MultiVector law = Equations::law();
    MultiVector elastic = law;
    elastic.rightCols(dim).setZero();
    elastic.bottomRows(dim).setZero();
    MultiVector B(n_strains + dim, n), N(dim, n), M(n, n), C(n, n), K(n, n);
    std::vector<dealii::types::global_dof_index> indices(n);
    for (const auto& cell : dofs_.active_cell_iterators()) {
      values.reinit(cell);
      for (auto* matrix : {&M, &C, &K})
        matrix->setZero();
      Vector dilatation = -cell->measure() * Vector::Unit(n, inner);  // minus the internal variable
      for (unsigned int point = 0; point < quadrature.size(); ++point) {
        evaluate(values, point, B, N);
        const double weight = values.JxW(point);
        M += weight * N.transpose() * N;
        C += 1e-3 * weight * B.transpose() * elastic * B;
        K += weight * B.transpose() * law * B;
        dilatation += weight * B.topRows(dim).colwise().sum().transpose();
      }
      K += 0.5 / cell->measure() * dilatation * dilatation.transpose();
      C(inner, inner) += 0.5 * relaxation_time_ * cell->measure();
      cell->get_dof_indices(indices);
      add(M, indices, mass_);
      add(C, indices, damping_);
      add(K, indices, stiffness_);
    }
  }

  void add(const MultiVector& of_cell, const std::vector<dealii::types::global_dof_index>& indices,
           dealii::SparseMatrix<double>& matrix) const {
    const auto n = static_cast<unsigned int>(of_cell.rows());
    dealii::FullMatrix<double> symmetric(n, n);
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        symmetric(i, j) = (of_cell(i, j) + of_cell(j, i)) / 2;  // without what rounding adds
    constraints_.distribute_local_to_global(symmetric, indices, matrix);
  }

  dealii::Triangulation<dim> mesh_;
  dealii::FESystem<dim> fe_;
  dealii::DoFHandler<dim> dofs_;
  double relaxation_time_;
  dealii::AffineConstraints<double> constraints_;
  dealii::SparsityPattern sparsity_;
  dealii::SparseMatrix<double> mass_, damping_, stiffness_;
};

}  // namespace halfdof::benchmark
