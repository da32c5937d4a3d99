// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <Epetra_Import.h>

#include <string>

namespace halfdof {

using namespace trilinos;

namespace {

/// Returns the rows of A B that this process owns, in global numbering.
OwnedRows product(const Epetra_CrsMatrix& A, const Epetra_CrsMatrix& B) {
  // The rows of B that correspond to the columns of A stored on this process.
  Epetra_CrsMatrix met(Copy, A.ColMap(), 0);
  met.Import(B, Epetra_Import(A.ColMap(), B.RowMap()), Insert);
  met.FillComplete(B.DomainMap(), B.RowMap());
  const OwnedRows rows = rows_by_stored_columns(A) * rows_by_stored_columns(met);
  return sum_rows_at_owners(rows, A.RowMap(), met.ColMap(), A.RowMap(), B.DomainMap());
}

/// Returns the rows of A^T B that this process owns, in global numbering. A and B have the same row map.
OwnedRows transposed_product(const Epetra_CrsMatrix& A, const Epetra_CrsMatrix& B) {
  const OwnedRows transposed = rows_by_stored_columns(A).transpose();
  const OwnedRows rows = transposed * rows_by_stored_columns(B);
  return sum_rows_at_owners(rows, A.ColMap(), B.ColMap(), A.DomainMap(), B.DomainMap());
}

}  // namespace

TrilinosMatrix TrilinosEngine::from_rows(const OwnedRows& owned, const Partition& rows,
                                         const Partition& columns) {
  return TrilinosMatrix(owned, rows, columns);
}

OwnedRows TrilinosEngine::to_rows(const Matrix& A) {
  return rows_by_global_columns(A.entries());
}

TrilinosMatrix TrilinosEngine::triple_product(const Matrix& T, const Matrix& A, const Matrix& S) {
  if (!same_layout(T.rows(), A.rows()) || !same_layout(A.columns(), S.rows()))
    throw InvalidInput(
        "T^T A S needs T and S distributed by rows like the rows and the columns of A, but the three "
        "matrices have " +
        std::to_string(T.rows().n_global()) + ", " + std::to_string(A.rows().n_global()) + " and " +
        std::to_string(S.rows().n_global()) +
        " rows, or their rows are distributed over the processes in different ways.");
  const TrilinosMatrix AS(product(A.entries(), S.entries()), A.rows(), S.columns());
  return TrilinosMatrix(transposed_product(T.entries(), AS.entries()), T.columns(), S.columns());
}

}  // namespace halfdof
