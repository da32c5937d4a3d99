// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <optional>
#include <vector>

namespace halfdof::internal {

/**
 * A sparse matrix A, stored as dense blocks of columns whose entries are in nearly the same rows,
 * @f[ A = \sum_g J_g A_g S_g^T, @f]
 * with S_g the columns of group g and J_g the rows in which these columns have entries. Triangular solves
 * with localized right-hand sides give such columns: the entries of each column lie on the path from its DoFs
 * to the root of the elimination tree, and the paths of neighbouring columns have most rows in common. A
 * product reads about as much memory as A has entries, and very few indices.
 *
 * Shapes: A n x m.
 */
class GroupedColumns {
 public:
  GroupedColumns() = default;
  explicit GroupedColumns(const Eigen::SparseMatrix<double>& A);

  /// Computes y += A x for one or several columns. Shapes: x m x k, y n x k.
  void add_product(ConstView<double> x, View<double> y) const;
  /// Computes x += A^T diag(factors) y. Shapes: factors n, y n x k, x m x k.
  void add_transposed_product(const Vector& factors, ConstView<double> y, View<double> x) const;

 private:
  struct Group {
    std::vector<Index> rows, columns;
    MultiVector block;
  };
  static constexpr int max_columns = 8;
  static constexpr double max_fill_ratio =
      1.25;  ///< limit of the size of a block over its number of nonzeros

  /// A vector with one entry for each column of a group.
  using GroupVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_columns, 1>;

  std::vector<Group> groups_;
  mutable Vector row_values_;  ///< workspace, one entry for each row of a group
};

/// Builds a sparse matrix from its columns, which are appended in order.
class SparseColumnsBuilder {
 public:
  SparseColumnsBuilder(Index n_rows, Index n_columns) : columns_(n_rows, n_columns) {}

  /// Appends the next columns. Shapes: n x any.
  void append(const MultiVector& columns);
  /// Memory of the entries appended so far and of their row indices [bytes].
  double bytes() const { return 12. * static_cast<double>(columns_.data().size()); }
  /// Returns the matrix. All columns must have been appended.
  const Eigen::SparseMatrix<double>& finish();

 private:
  Eigen::SparseMatrix<double> columns_;
  Index n_appended_ = 0;
};

/// Returns the vector d of row factors with B = diag(d) A up to rounding in each entry, or nothing if no such
/// d exists. Shapes: A and B n x m, d n.
std::optional<Vector> row_factors(const Eigen::SparseMatrix<double>& A, const Eigen::SparseMatrix<double>& B);

}  // namespace halfdof::internal
