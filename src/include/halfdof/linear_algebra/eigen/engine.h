// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>

#include <Eigen/SparseCore>

#include <memory>
#include <optional>
#include <vector>

namespace halfdof {

/// A sparse real matrix on one machine, stored by columns. The matrix is constant and cheap to copy: copies
/// share the entries, which may also belong to another program.
class EigenMatrix {
 public:
  using Storage = Eigen::SparseMatrix<double>;
  /// The entries: compressed, with ascending rows in each column.
  using Entries = Eigen::Map<const Storage>;

  EigenMatrix() : EigenMatrix(Storage()) {}
  /// Takes over the entries without a copy and compresses them if necessary. (The move constructor of Eigen
  /// 3.4 copies a sparse matrix, and is therefore not used.)
  explicit EigenMatrix(Storage&& entries);
  explicit EigenMatrix(const Storage& entries) : EigenMatrix(Storage(entries)) {}
  /// Takes over entries that are compressed already, with ascending rows in each column.
  /// @param is_symmetric Whether the matrix is exactly symmetric
  EigenMatrix(Storage&& sorted, bool is_symmetric);
  /// Uses arrays of another program without a copy. They must have ascending rows in each column, no row
  /// twice, and must not change. @param owner Keeps the arrays alive as long as a copy of this matrix exists
  /// @throws InvalidInput if the starts of columns do not ascend from zero to the number of entries, a row is
  /// out of range, or the rows of a column do not ascend
  EigenMatrix(const Entries& shared, const std::shared_ptr<const void>& owner);

  const Partition& rows() const { return rows_; }
  const Partition& columns() const { return columns_; }
  GlobalIndex n_local_entries() const { return entries_->nonZeros(); }

  /// Computes y += alpha A x. Shapes: x columns().n_local() x k, y rows().n_local() x k.
  void add_product(double alpha, ConstView<double> x, View<double> y) const;
  void add_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const;
  /// Computes y += alpha A^T x. Shapes: x rows().n_local() x k, y columns().n_local() x k.
  void add_transposed_product(double alpha, ConstView<double> x, View<double> y) const;
  void add_transposed_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const;

  const Entries& entries() const { return *entries_; }
  /// Returns whether the matrix is exactly symmetric.
  bool is_symmetric() const { return is_symmetric_; }

 private:
  std::shared_ptr<const Entries> entries_;
  /// Whether A is exactly symmetric. A x is then computed as A^T x, which writes each entry of the result
  /// once.
  bool is_symmetric_;
  Partition rows_;
  Partition columns_;
};

/**
 * The matrices @f$ P(a, b, c) = a M + b C + c K @f$, stored over the union of the patterns of M, C and K. The
 * union and the symbolic analysis are computed once and serve every factorization, real or complex. Shapes:
 * M, C, K square, of equal size.
 */
class EigenPencil {
 public:
  EigenPencil(const EigenMatrix& M, const EigenMatrix& C, const EigenMatrix& K,
              const FactorizationOptions& options = {});
  ~EigenPencil();
  EigenPencil(EigenPencil&&) noexcept;
  EigenPencil& operator=(EigenPencil&&) noexcept;

  /// Factorizes P(a, b, c). @throws SingularMatrix
  FactorizationPtr<double> factorize(double a, double b, double c) const;
  FactorizationPtr<Complex> factorize(Complex a, Complex b, Complex c) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The engine for one machine: sparse matrices of Eigen, factorizations of SuiteSparse.
struct EigenEngine {
  using Matrix = EigenMatrix;
  using Pencil = EigenPencil;

  static constexpr const char* name = "Eigen + SuiteSparse";

  static Vector column_norms(const Matrix& A);
  static Vector column_norms(const Matrix& A, const Selection& rows);
  static Vector row_norms(const Matrix& A);
  static LineNorms scaled_norms(const Matrix& A, const Vector& row_factors, const Vector& column_factors);
  static std::optional<NonFiniteEntry> find_non_finite(const Matrix& A);
  static Matrix select_columns(const Matrix& M, const Matrix& C, const Matrix& K,
                               const std::vector<ColumnSource>& source);
  static Matrix submatrix(const Matrix& A, const Selection& rows, const Selection& columns);
  static std::vector<Matrix> row_blocks(const Matrix& A, const std::vector<Selection>& rows,
                                        const Selection& columns);
  static double asymmetry(const Matrix& A);
  static Matrix diagonal(const Vector& d, const Partition& partition);
  static Matrix sum(double alpha, const Matrix& A, double beta, const Matrix& B);
  static Matrix scaled(const Matrix& A, const Vector& row_factors, const Vector& column_factors);
  static Matrix from_rows(const OwnedRows& owned, const Partition& rows, const Partition& columns);
  static OwnedRows to_rows(const Matrix& A);
  /// Returns T^T A S without stored zeros. Shapes: T A.rows() x m, S A.columns() x n.
  static Matrix triple_product(const Matrix& T, const Matrix& A, const Matrix& S);
  static FactorizationPtr<double> factorize(const Matrix& A, const FactorizationOptions& options = {});
  static FactorizationPtr<double> factorize_definite(const Matrix& A);
  static MultiVector to_dense(const Matrix& A);
};

}  // namespace halfdof
