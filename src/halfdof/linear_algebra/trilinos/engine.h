#pragma once

#include <halfdof/linear_algebra/engine.h>
#include <halfdof/linear_algebra/trilinos/mpi_communicator.h>

#include <Eigen/SparseCore>

#include <memory>
#include <optional>
#include <vector>

class Epetra_CrsMatrix;

namespace halfdof {

/**
 * A sparse real matrix distributed by rows, constant and cheap to copy: copies share the entries.
 *
 * rows() is Epetra's row map and columns() its domain map, in Epetra's local order; neither needs to be
 * consecutive, and a process may own no row. The global indices of Epetra's maps are 32-bit integers and run
 * from 0 to n-1, each owned once; the range map must be the row map (what deal.II's Trilinos matrices have).
 * All functions are collective.
 */
class TrilinosMatrix {
 public:
  /// No rows and no columns, on a single process.
  TrilinosMatrix();

  /// Shares an Epetra matrix, which must not change any more.
  /// @throws InvalidInput unless it is filled and its maps are as described above
  explicit TrilinosMatrix(std::shared_ptr<const Epetra_CrsMatrix> entries);

  /// Copies an Epetra matrix, for example `trilinos_matrix()` of a dealii::TrilinosWrappers::SparseMatrix.
  explicit TrilinosMatrix(const Epetra_CrsMatrix& entries);

  /// Each process brings the rows that it owns: rows().n_local() x columns().n_global().
  TrilinosMatrix(const OwnedRows& owned, const Partition& rows, const Partition& columns);

  /// Each process brings the same matrix, in global numbering, and keeps the rows that it owns.
  static TrilinosMatrix distribute(const Eigen::SparseMatrix<double>& whole, const Partition& rows,
                                   const Partition& columns);

  const Partition& rows() const { return rows_; }
  const Partition& columns() const { return columns_; }
  GlobalIndex n_local_entries() const;

  /// y += alpha A x. Shapes: x columns().n_local() x k, y rows().n_local() x k.
  void add_product(double alpha, ConstView<double> x, View<double> y) const;
  void add_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const;
  /// y += alpha A^T x.
  void add_transposed_product(double alpha, ConstView<double> x, View<double> y) const;
  void add_transposed_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const;

  const Epetra_CrsMatrix& entries() const { return *entries_; }

 private:
  std::shared_ptr<const Epetra_CrsMatrix> entries_;
  Partition rows_;
  Partition columns_;
};

/**
 * @f$ P(a, b, c) = a M + b C + c K @f$ over the union of the three patterns. The union and the ordering are
 * made once and serve every factorization, real or complex. Shapes: M, C, K square, of equal size and
 * distribution.
 *
 * Each factorization owns a MUMPS instance of its own and stays valid after the pencil is gone; it occupies
 * the memory of its factors as long as it lives. Destroying one is collective.
 */
class TrilinosPencil {
 public:
  TrilinosPencil(const TrilinosMatrix& M, const TrilinosMatrix& C, const TrilinosMatrix& K,
                 const FactorizationOptions& options = {});
  ~TrilinosPencil();
  TrilinosPencil(TrilinosPencil&&) noexcept;
  TrilinosPencil& operator=(TrilinosPencil&&) noexcept;

  /// @throws SingularMatrix
  FactorizationPtr<double> factorize(double a, double b, double c) const;
  FactorizationPtr<Complex> factorize(Complex a, Complex b, Complex c) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// MPI: Epetra's distributed matrices, MUMPS' factorizations.
struct TrilinosEngine {
  using Matrix = TrilinosMatrix;
  using Pencil = TrilinosPencil;

  static constexpr const char* name = "Trilinos + MUMPS";

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
  /// T^T A S, without stored zeros. Shapes: T and S may be rectangular; the rows of T are those of A.
  static Matrix triple_product(const Matrix& T, const Matrix& A, const Matrix& S);
  static FactorizationPtr<double> factorize(const Matrix& A, const FactorizationOptions& options = {});
  static FactorizationPtr<double> factorize_definite(const Matrix& A);
  static MultiVector to_dense(const Matrix& A);
};

}  // namespace halfdof
