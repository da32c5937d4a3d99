// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/solver_control.h>
#include <deal.II/lac/sparse_direct.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/trilinos_solver.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_sparsity_pattern.h>
#include <deal.II/lac/trilinos_vector.h>

/**
 * The linear algebra on one process. This class and DistributedLinearAlgebra have the same interface, so that
 * the code of the beam works with both: the types Mesh, Matrix and Vector, and functions that create empty
 * matrices and vectors for a DoFHandler.
 */
class SerialLinearAlgebra {
 public:
  using Mesh = dealii::Triangulation<2>;
  using Matrix = dealii::SparseMatrix<double>;
  using Vector = dealii::Vector<double>;

  static Mesh make_mesh() { return Mesh(); }

  void reinit(const dealii::DoFHandler<2>& dofs, const dealii::AffineConstraints<double>& constraints) {
    dealii::DynamicSparsityPattern pattern(dofs.n_dofs());
    dealii::DoFTools::make_sparsity_pattern(dofs, pattern, constraints, false);
    sparsity_.copy_from(pattern);
  }
  void reinit(Matrix& matrix) const { matrix.reinit(sparsity_); }
  void reinit(Vector& vector) const { vector.reinit(sparsity_.n_rows()); }

  static void solve(const Matrix& matrix, Vector& x, const Vector& b) {
    dealii::SparseDirectUMFPACK factorization;
    factorization.initialize(matrix);
    factorization.vmult(x, b);
  }

  /// Returns a copy of a vector, of which all entries on the cells of this process can be read.
  Vector ghosted(const Vector& vector) const { return vector; }

 private:
  dealii::SparsityPattern sparsity_;
};

/// The linear algebra on several processes, with the interface of SerialLinearAlgebra.
class DistributedLinearAlgebra {
 public:
  using Mesh = dealii::parallel::distributed::Triangulation<2>;
  using Matrix = dealii::TrilinosWrappers::SparseMatrix;
  using Vector = dealii::TrilinosWrappers::MPI::Vector;

  static Mesh make_mesh() { return Mesh(MPI_COMM_WORLD); }

  void reinit(const dealii::DoFHandler<2>& dofs, const dealii::AffineConstraints<double>& constraints) {
    owned_ = dofs.locally_owned_dofs();
    dealii::DoFTools::extract_locally_relevant_dofs(dofs, relevant_);
    sparsity_.reinit(owned_, owned_, relevant_, MPI_COMM_WORLD);
    dealii::DoFTools::make_sparsity_pattern(dofs, sparsity_, constraints, false,
                                            dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD));
    sparsity_.compress();
  }
  void reinit(Matrix& matrix) const { matrix.reinit(sparsity_); }
  void reinit(Vector& vector) const { vector.reinit(owned_, MPI_COMM_WORLD); }

  static void solve(const Matrix& matrix, Vector& x, const Vector& b) {
    dealii::SolverControl control;
    dealii::TrilinosWrappers::SolverDirect(control).solve(matrix, x, b);
  }

  Vector ghosted(const Vector& vector) const {
    Vector result(owned_, relevant_, MPI_COMM_WORLD);
    result = vector;
    return result;
  }

 private:
  dealii::IndexSet owned_, relevant_;
  dealii::TrilinosWrappers::SparsityPattern sparsity_;
};
