#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <optional>
#include <vector>

namespace halfdof {

/**
 * A matrix A whose columns fill few rows, neighbours much the same ones, as what a triangular solve makes of
 * localized vectors: the paths from their DoFs to the root of the elimination tree, which meet on the way.
 * Columns with common rows form dense blocks,
 * @f[ A = \sum_g J_g A_g S_g^T, @f]
 * with S_g the columns of a group and J_g the rows in which these have entries. Products read as much memory
 * as A has entries, and hardly an index.
 *
 * Shapes: A n x m.
 */
class GroupedColumns {
 public:
  GroupedColumns() = default;
  explicit GroupedColumns(const Eigen::SparseMatrix<double>& A);

  /// y += A x for one or several columns. Shapes: x m x k, y n x k.
  void add_product(ConstView<double> x, View<double> y) const;
  /// x += A^T diag(factors) y. Shapes: factors n, y n x k, x m x k.
  void add_transposed_product(const Vector& factors, ConstView<double> y, View<double> x) const;

 private:
  struct Group {
    std::vector<Index> rows, columns;
    MultiVector block;
  };
  static constexpr int most_columns = 8;
  static constexpr double most_stored = 1.25;  ///< in a group, relative to its entries

  /// By columns of a group.
  using OfColumns = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_columns, 1>;

  std::vector<Group> groups_;
  mutable Vector of_rows_;  ///< by rows of a group
};

/// A sparse matrix while its columns become known, from the first to the last.
class GrowingColumns {
 public:
  GrowingColumns(Index n_rows, Index n_columns) : columns_(n_rows, n_columns) {}

  /// @param columns The next ones. Shapes: n x any.
  void append(const MultiVector& columns);
  /// Memory of the entries so far, with their rows.
  double bytes() const { return 12. * static_cast<double>(columns_.data().size()); }
  /// Once all are known.
  const Eigen::SparseMatrix<double>& finish();

 private:
  Eigen::SparseMatrix<double> columns_;
  Index n_known_ = 0;
};

/// d with B = diag(d) A up to rounding, entry by entry; nothing if there is none. Shapes: A and B n x m, d n.
std::optional<Vector> row_factors(const Eigen::SparseMatrix<double>& A, const Eigen::SparseMatrix<double>& B);

}  // namespace halfdof
