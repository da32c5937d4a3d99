// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/reduced.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>
#include <deal.II/numerics/vector_tools_boundary.h>

#include <string>

/// A model with all kinds of degrees of freedom on a locally refined mesh, small enough for dense matrices.
namespace halfdof::test {

/// Dirichlet values at time t: different in each component, and not constant along the boundary.
class BoundaryValues : public dealii::Function<2> {
 public:
  explicit BoundaryValues(double factor) : dealii::Function<2>(3), factor_(factor) {}
  double value(const dealii::Point<2>& p, unsigned int component) const override {
    return factor_ * (component + 1.) * (1. + p[1]);
  }

 private:
  double factor_;
};

/// How an application puts cell matrices into its matrices.
enum class Assembly {
  matrix_alone,     ///< distribute_local_to_global with one matrix; the load separately
  matrix_and_load,  ///< distribute_local_to_global with the stiffness matrix and the load together
  without_constraints
};

/**
 * On the square, with components u (inertial), theta (viscous) and phi (algebraic):
 * u'' - div grad u + d_x theta + d_y phi = 1, theta' + 2 d_x u' - div grad theta = 2,
 * -div grad phi + d_y u = 3: unsymmetric, and every block of D is met. Dirichlet values on the left side.
 */
struct Model {
  explicit Model(dealii::Triangulation<2>& mesh, double boundary_factor = 1.)
      : fe(dealii::FE_Q<2>(1), 3), dofs(mesh) {
    dealii::GridGenerator::subdivided_hyper_rectangle(mesh, {3, 2}, dealii::Point<2>(),
                                                      dealii::Point<2>(3., 2.), true);
    refine_corner(mesh);
    dofs.distribute_dofs(fe);
    owned = dofs.locally_owned_dofs();
    dealii::DoFTools::extract_locally_relevant_dofs(dofs, relevant);
    make_constraints(constraints, boundary_factor);
  }

  /// As the program of an application numbers its blocks.
  void renumber_by_component(double boundary_factor = 1.) {
    dealii::DoFRenumbering::component_wise(dofs);
    owned = dofs.locally_owned_dofs();
    dealii::DoFTools::extract_locally_relevant_dofs(dofs, relevant);
    make_constraints(constraints, boundary_factor);
  }

  static void refine_corner(dealii::Triangulation<2>& mesh) {
    for (const auto& cell : mesh.active_cell_iterators())
      if (cell->is_locally_owned() && cell->center()[0] > 1. && cell->center()[1] > 1.)
        cell->set_refine_flag();
    mesh.execute_coarsening_and_refinement();
  }

  /// Hanging nodes and Dirichlet values on the left side.
  void make_constraints(dealii::AffineConstraints<double>& result, double boundary_factor) const {
    result.reinit(relevant);
    dealii::DoFTools::make_hanging_node_constraints(dofs, result);
    dealii::VectorTools::interpolate_boundary_values(dofs, 0, BoundaryValues(boundary_factor), result);
    result.close();
  }

  template <class Sparsity>
  void make_sparsity(Sparsity& sparsity) const {
    dealii::DoFTools::make_sparsity_pattern(dofs, sparsity);  // room for raw and for condensed matrices
    dealii::DoFTools::make_sparsity_pattern(dofs, sparsity, constraints, false);
  }

  /// Reads like the program of a user of deal.II.
  template <class MatrixType, class VectorType>
  void assemble(MatrixType& M, MatrixType& C, MatrixType& K, VectorType& f, Assembly how) const {
    const dealii::QGauss<2> quadrature(2);
    dealii::FEValues<2> values(fe, quadrature,
                               dealii::update_values | dealii::update_gradients | dealii::update_JxW_values);
    const unsigned int n = fe.n_dofs_per_cell();
    dealii::FullMatrix<double> cell_M(n, n), cell_C(n, n), cell_K(n, n);
    dealii::Vector<double> cell_f(n);
    std::vector<dealii::types::global_dof_index> indices(n);
    const dealii::AffineConstraints<double> none = [this] {
      dealii::AffineConstraints<double> empty(relevant);
      empty.close();
      return empty;
    }();
    const auto& used = how == Assembly::without_constraints ? none : constraints;

    for (const auto& cell : dofs.active_cell_iterators()) {
      if (!cell->is_locally_owned()) continue;
      values.reinit(cell);
      cell_M = 0, cell_C = 0, cell_K = 0, cell_f = 0;
      for (unsigned int q = 0; q < quadrature.size(); ++q)
        for (unsigned int i = 0; i < n; ++i) {
          const unsigned int a = fe.system_to_component_index(i).first;
          const double v = values.shape_value(i, q), JxW = values.JxW(q);
          cell_f(i) += (a + 1.) * v * JxW;
          for (unsigned int j = 0; j < n; ++j) {
            const unsigned int b = fe.system_to_component_index(j).first;
            const auto gradient = values.shape_grad(j, q);
            if (a == 0 && b == 0) cell_M(i, j) += v * values.shape_value(j, q) * JxW;
            if (a == 1 && b == 1) cell_C(i, j) += v * values.shape_value(j, q) * JxW;
            if (a == 1 && b == 0) cell_C(i, j) += 2 * v * gradient[0] * JxW;
            if (a == b) cell_K(i, j) += values.shape_grad(i, q) * gradient * JxW;
            if (a == 0 && b == 1) cell_K(i, j) += v * gradient[0] * JxW;
            if ((a == 0 && b == 2) || (a == 2 && b == 0)) cell_K(i, j) += v * gradient[1] * JxW;
          }
        }
      cell->get_dof_indices(indices);
      used.distribute_local_to_global(cell_M, indices, M);
      used.distribute_local_to_global(cell_C, indices, C);
      if (how == Assembly::matrix_and_load) {
        used.distribute_local_to_global(cell_K, cell_f, indices, K, f);
      } else {
        used.distribute_local_to_global(cell_K, indices, K);
        used.distribute_local_to_global(cell_f, indices, f);
      }
    }
    M.compress(dealii::VectorOperation::add);
    C.compress(dealii::VectorOperation::add);
    K.compress(dealii::VectorOperation::add);
    f.compress(dealii::VectorOperation::add);
  }

  dealii::FESystem<2> fe;
  dealii::DoFHandler<2> dofs;
  dealii::IndexSet owned, relevant;
  dealii::AffineConstraints<double> constraints;
};

/// The model in matrices of deal.II's own.
struct SerialMatrices {
  SerialMatrices(const Model& model, Assembly how) {
    dealii::DynamicSparsityPattern dynamic(model.dofs.n_dofs());
    model.make_sparsity(dynamic);
    sparsity.copy_from(dynamic);
    for (auto* matrix : {&M, &C, &K})
      matrix->reinit(sparsity);
    f.reinit(model.dofs.n_dofs());
    model.assemble(M, C, K, f, how);
  }

  dealii::SparsityPattern sparsity;
  dealii::SparseMatrix<double> M, C, K;
  dealii::Vector<double> f;
};

inline MultiVector dense(const dealii::SparseMatrix<double>& A) {
  MultiVector result = MultiVector::Zero(A.m(), A.n());
  for (const auto& entry : A)
    result(static_cast<Index>(entry.row()), static_cast<Index>(entry.column())) = entry.value();
  return result;
}

inline Vector dense(const dealii::Vector<double>& v) {
  return Eigen::Map<const Vector>(v.begin(), static_cast<Eigen::Index>(v.size()));
}

/// T and g of q = T q + g, entry by entry as deal.II's documentation says.
struct DenseConstraints {
  explicit DenseConstraints(const dealii::AffineConstraints<double>& constraints, Index n)
      : T(MultiVector::Identity(n, n)), g(Vector::Zero(n)) {
    for (Index i = 0; i < n; ++i)
      if (const auto line = static_cast<unsigned int>(i); constraints.is_constrained(line)) {
        T.row(i).setZero();
        for (const auto& [j, weight] : *constraints.get_constraint_entries(line))
          T(i, static_cast<Index>(j)) = weight;
        g[i] = constraints.get_inhomogeneity(line);
      } else {
        free.push_back(i);
      }
  }

  MultiVector T;
  Vector g;
  std::vector<Index> free;
};

}  // namespace halfdof::test
