// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/linear_algebra/engine.h>

#include <Eigen/SparseCore>

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

namespace halfdof {

/**
 * The processes of an MPI communicator. The handle is not duplicated: the MPI communicator must exist, and
 * MPI must stay initialized, as long as objects that use it exist.
 */
class MpiCommunicator : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm mpi);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  MPI_Comm mpi() const { return mpi_; }

  using Communicator::max;
  using Communicator::sum;
  void sum(double* values, int n) const override;
  void max(double* values, int n) const override;
  GlobalIndex sum_before(GlobalIndex value) const override;
  /// @throws NotAvailable if the bytes of all processes together exceed 2 GB
  std::vector<std::string> gather(const std::string& bytes) const override;

 private:
  MPI_Comm mpi_;
  int rank_ = 0;
  int size_ = 1;
};

/// Returns the handle of an MpiCommunicator, and MPI_COMM_SELF for the communicator of a single process.
MPI_Comm mpi_handle(const Communicator& communicator);

}  // namespace halfdof

class Epetra_CrsMatrix;

namespace halfdof {

/**
 * A sparse real matrix distributed by rows, constant and cheap to copy: copies share the entries.
 *
 * rows() is Epetra's row map and columns() its domain map, in Epetra's local order; neither needs to be
 * consecutive, and a process may own no row. The global indices of Epetra's maps are 32-bit integers from 0
 * to n-1, and each has one owner; the range map must equal the row map, as in deal.II's Trilinos matrices.
 * All functions are collective.
 */
class TrilinosMatrix {
 public:
  /// A matrix without rows and columns on a single process.
  TrilinosMatrix();

  /// Shares an Epetra matrix, which must not be changed afterwards.
  /// @throws InvalidInput unless FillComplete() of the matrix was called and its maps are as described above
  explicit TrilinosMatrix(std::shared_ptr<const Epetra_CrsMatrix> entries);

  /// Copies an Epetra matrix, for example `trilinos_matrix()` of a dealii::TrilinosWrappers::SparseMatrix.
  explicit TrilinosMatrix(const Epetra_CrsMatrix& entries);

  /// Each process passes the rows that it owns: rows().n_local() x columns().n_global().
  TrilinosMatrix(const OwnedRows& owned, const Partition& rows, const Partition& columns);

  /// All processes pass the same matrix in global numbering, and each keeps the rows that it owns.
  static TrilinosMatrix distribute(const Eigen::SparseMatrix<double>& whole, const Partition& rows,
                                   const Partition& columns);

  const Partition& rows() const { return rows_; }
  const Partition& columns() const { return columns_; }
  GlobalIndex n_local_entries() const;

  /// Computes y += alpha A x. Shapes: x columns().n_local() x k, y rows().n_local() x k.
  void add_product(double alpha, ConstView<double> x, View<double> y) const;
  void add_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const;
  /// Computes y += alpha A^T x. Shapes: x rows().n_local() x k, y columns().n_local() x k.
  void add_transposed_product(double alpha, ConstView<double> x, View<double> y) const;
  void add_transposed_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const;

  const Epetra_CrsMatrix& entries() const { return *entries_; }

 private:
  std::shared_ptr<const Epetra_CrsMatrix> entries_;
  Partition rows_;
  Partition columns_;
};

/**
 * The matrices @f$ P(a, b, c) = a M + b C + c K @f$, stored over the union of the patterns of M, C and K. The
 * union and the ordering are computed once and serve every factorization, real or complex. Shapes: M, C, K
 * square, of equal size and distribution.
 *
 * Each factorization has its own MUMPS instance and stays valid after the pencil has been destroyed. The
 * memory of the factors is freed with the factorization, whose destruction is collective.
 */
class TrilinosPencil {
 public:
  TrilinosPencil(const TrilinosMatrix& M, const TrilinosMatrix& C, const TrilinosMatrix& K,
                 const FactorizationOptions& options = {});
  ~TrilinosPencil();
  TrilinosPencil(TrilinosPencil&&) noexcept;
  TrilinosPencil& operator=(TrilinosPencil&&) noexcept;

  /// Factorizes P(a, b, c). @throws SingularMatrix
  FactorizationPtr<double> factorize(double a, double b, double c) const;
  FactorizationPtr<Complex> factorize(Complex a, Complex b, Complex c) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The engine for MPI: distributed matrices of Epetra, factorizations of MUMPS.
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
  /// Returns T^T A S without stored zeros. T and S may be rectangular; their rows are distributed like the
  /// rows and the columns of A.
  static Matrix triple_product(const Matrix& T, const Matrix& A, const Matrix& S);
  static FactorizationPtr<double> factorize(const Matrix& A, const FactorizationOptions& options = {});
  static FactorizationPtr<double> factorize_definite(const Matrix& A);
  static MultiVector to_dense(const Matrix& A);
};

}  // namespace halfdof
