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
  // The rows of B whose numbers are column numbers of the entries of A on this process are imported.
  Epetra_CrsMatrix imported(::Copy, A.ColMap(), 0);
  imported.Import(B, Epetra_Import(A.ColMap(), B.RowMap()), Insert);
  imported.FillComplete(B.DomainMap(), B.RowMap());
  const OwnedRows rows = rows_by_stored_columns(A) * rows_by_stored_columns(imported);
  return sum_rows_at_owners(rows, A.RowMap(), imported.ColMap(), A.RowMap(), B.DomainMap());
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
        "In the product T^T A S, the rows of T must be distributed like the rows of A, and the rows of S "
        "like the columns of A, but their numbers or their distributions over the processes differ: "
        "T, A and S have " +
        std::to_string(T.rows().n_global()) + ", " + std::to_string(A.rows().n_global()) + " and " +
        std::to_string(S.rows().n_global()) + " rows.");
  const TrilinosMatrix AS(product(A.entries(), S.entries()), A.rows(), S.columns());
  return TrilinosMatrix(transposed_product(T.entries(), AS.entries()), T.columns(), S.columns());
}

}  // namespace halfdof
