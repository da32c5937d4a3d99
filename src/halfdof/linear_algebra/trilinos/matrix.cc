// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_MpiComm.h>
#include <Epetra_SerialComm.h>

#include <string>
#include <utility>

namespace halfdof {

using trilinos::insert_rows;
using trilinos::map_of;
using trilinos::view;

namespace {

std::shared_ptr<const Communicator> communicator_of(const Epetra_Comm& epetra) {
  const auto* mpi = dynamic_cast<const Epetra_MpiComm*>(&epetra);
  return mpi ? std::make_shared<const MpiCommunicator>(mpi->Comm()) : Communicator::self();
}

Partition partition_of(const Epetra_Map& map, const std::shared_ptr<const Communicator>& communicator) {
  std::vector<GlobalIndex> owned(static_cast<std::size_t>(map.NumMyElements()));
  for (std::size_t i = 0; i < owned.size(); ++i)
    owned[i] = map.GID(static_cast<int>(i));
  return Partition(std::move(owned), communicator);
}

/// Returns whether the global indices of a map are 0 ... n-1, and each index has one owner.
bool has_each_index_once(const Epetra_Map& map) {
  const bool from_zero = map.NumGlobalElements() == 0 ||
                         (map.MinAllGID() == 0 && map.MaxAllGID() == map.NumGlobalElements() - 1);
  return map.UniqueGIDs() && from_zero;
}

/// Throws InvalidInput if A does not have the properties that TrilinosMatrix requires. @return A itself
const Epetra_CrsMatrix& check_maps(const Epetra_CrsMatrix& A) {
  const std::string which = "The Epetra matrix (" + std::to_string(A.NumGlobalRows64()) + " x " +
                            std::to_string(A.NumGlobalCols64()) + ") ";
  if (!A.RowMap().GlobalIndicesInt())
    throw InvalidInput(which +
                       "has 64-bit global indices. Construct the matrix with maps of 32-bit indices.");
  if (!A.Filled())
    throw InvalidInput(
        which +
        "has not been completed after its assembly. Call FillComplete() (in deal.II: compress()) first.");
  if (!has_each_index_once(A.RowMap()) || !has_each_index_once(A.DomainMap()))
    throw InvalidInput(
        which +
        "has a row map or a domain map whose indices are not the numbers 0 ... n-1 with one owner "
        "each. Construct the matrix with maps without overlap and without gaps.");
  if (!A.RangeMap().SameAs(A.RowMap()))
    throw InvalidInput(which +
                       "has a range map that differs from its row map. "
                       "Pass the row map as range map to FillComplete().");
  return A;
}

std::shared_ptr<const Epetra_CrsMatrix> empty_matrix() {
  const Epetra_Map map(0, 0, Epetra_SerialComm());
  auto matrix = std::make_shared<Epetra_CrsMatrix>(::Copy, map, 0);
  matrix->FillComplete();
  return matrix;
}

std::shared_ptr<const Epetra_CrsMatrix> epetra_matrix(const OwnedRows& owned, const Partition& rows,
                                                      const Partition& columns) {
  const bool fits = owned.rows() == rows.n_local() && owned.cols() == columns.n_global();
  if (rows.communicator().any(!fits))
    throw InvalidInput(
        (fits ? std::string("The rows of a matrix that another process passed have a wrong shape. ")
              : "The rows of a matrix that process " + std::to_string(rows.communicator().rank()) +
                    " passed are " + std::to_string(owned.rows()) + " x " + std::to_string(owned.cols()) +
                    ", but the partitions require " + std::to_string(rows.n_local()) + " x " +
                    std::to_string(columns.n_global()) + " on this process. ") +
        "Each process must pass all rows that it owns, with columns in global numbering.");
  const Epetra_Map row_map = map_of(rows);
  const Epetra_Map domain_map = map_of(columns);
  std::vector<int> n_in_row(static_cast<std::size_t>(rows.n_local()));
  for (Index row = 0; row < rows.n_local(); ++row)
    n_in_row[static_cast<std::size_t>(row)] = static_cast<int>(owned.row(row).nonZeros());
  auto matrix = std::make_shared<Epetra_CrsMatrix>(::Copy, row_map, n_in_row.data(), true);
  insert_rows(
      owned, [](int column) { return column; }, *matrix);
  matrix->FillComplete(domain_map, row_map);
  return matrix;
}

/// Returns the product A X or A^T X.
MultiVector product(const Epetra_CrsMatrix& A, bool transposed, ConstView<double> x, Index n_result) {
  MultiVector y(n_result, x.cols());
  Epetra_MultiVector result = view(transposed ? A.DomainMap() : A.RangeMap(), y);
  A.Multiply(transposed, view(transposed ? A.RangeMap() : A.DomainMap(), x), result);
  return y;
}

ComplexMultiVector complex_product(const Epetra_CrsMatrix& A, bool transposed, ConstView<Complex> x,
                                   Index n_result) {
  MultiVector parts(x.rows(), 2 * x.cols());
  parts << x.real(), x.imag();
  const MultiVector result = product(A, transposed, parts, n_result);
  ComplexMultiVector y(n_result, x.cols());
  y.real() = result.leftCols(x.cols());
  y.imag() = result.rightCols(x.cols());
  return y;
}

}  // namespace

TrilinosMatrix::TrilinosMatrix() : entries_(empty_matrix()) {}

TrilinosMatrix::TrilinosMatrix(std::shared_ptr<const Epetra_CrsMatrix> entries)
    : entries_(std::move(entries)) {
  check_maps(*entries_);
  const auto communicator = communicator_of(entries_->Comm());
  rows_ = partition_of(entries_->RowMap(), communicator);
  columns_ = partition_of(entries_->DomainMap(), communicator);
}

TrilinosMatrix::TrilinosMatrix(const Epetra_CrsMatrix& entries)
    : TrilinosMatrix(std::make_shared<const Epetra_CrsMatrix>(check_maps(entries))) {}

TrilinosMatrix::TrilinosMatrix(const OwnedRows& owned, const Partition& rows, const Partition& columns)
    : entries_(epetra_matrix(owned, rows, columns)), rows_(rows), columns_(columns) {}

TrilinosMatrix TrilinosMatrix::distribute(const Eigen::SparseMatrix<double>& whole, const Partition& rows,
                                          const Partition& columns) {
  if (whole.rows() != rows.n_global() || whole.cols() != columns.n_global())
    throw InvalidInput("The matrix that is to be distributed over the processes is " +
                       std::to_string(whole.rows()) + " x " + std::to_string(whole.cols()) +
                       ", but its partitions have " + std::to_string(rows.n_global()) + " rows and " +
                       std::to_string(columns.n_global()) + " columns. Pass the partitions of this matrix.");
  const OwnedRows by_rows = whole;
  OwnedRows owned(rows.n_local(), columns.n_global());
  for (Index row = 0; row < rows.n_local(); ++row) {
    owned.startVec(row);
    for (OwnedRows::InnerIterator entry(by_rows, rows.global_index(row)); entry; ++entry)
      owned.insertBack(row, entry.col()) = entry.value();
  }
  owned.finalize();
  return TrilinosMatrix(owned, rows, columns);
}

GlobalIndex TrilinosMatrix::n_local_entries() const {
  return entries_->NumMyNonzeros();
}

void TrilinosMatrix::add_product(double alpha, ConstView<double> x, View<double> y) const {
  if (x.cols() == 0) return;
  y += alpha * product(*entries_, false, x, rows_.n_local());
}

void TrilinosMatrix::add_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const {
  if (x.cols() == 0) return;
  y += alpha * complex_product(*entries_, false, x, rows_.n_local());
}

void TrilinosMatrix::add_transposed_product(double alpha, ConstView<double> x, View<double> y) const {
  if (x.cols() == 0) return;
  y += alpha * product(*entries_, true, x, columns_.n_local());
}

void TrilinosMatrix::add_transposed_product(Complex alpha, ConstView<Complex> x, View<Complex> y) const {
  if (x.cols() == 0) return;
  y += alpha * complex_product(*entries_, true, x, columns_.n_local());
}

}  // namespace halfdof
