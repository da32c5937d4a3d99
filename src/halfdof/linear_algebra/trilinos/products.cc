#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <EpetraExt_MatrixMatrix.h>

#include <string>

namespace halfdof {

namespace {

TrilinosMatrix product(const TrilinosMatrix& A, bool transposed, const TrilinosMatrix& B) {
  const Epetra_Map& rows = transposed ? A.entries().DomainMap() : A.entries().RowMap();
  const auto result = std::make_shared<Epetra_CrsMatrix>(Copy, rows, 0);
  if (EpetraExt::MatrixMatrix::Multiply(A.entries(), transposed, B.entries(), false, *result) != 0)
    throw NotAvailable(
        "The product of two sparse matrices with " + std::to_string(A.rows().n_global()) + " and " +
        std::to_string(B.rows().n_global()) +
        " rows could not be formed. Most likely the memory of a process is exhausted: use more "
        "processes.");
  return TrilinosMatrix(result);
}

}  // namespace

TrilinosMatrix TrilinosEngine::from_rows(const OwnedRows& owned, const Partition& rows,
                                         const Partition& columns) {
  return TrilinosMatrix(owned, rows, columns);
}

TrilinosMatrix TrilinosEngine::triple_product(const Matrix& T, const Matrix& A, const Matrix& S) {
  if (!trilinos::same_layout(T.rows(), A.rows()) || !trilinos::same_layout(A.columns(), S.rows()))
    throw InvalidInput(
        "T^T A S needs T and S distributed by rows like the rows and the columns of A, but the three "
        "matrices "
        "have " +
        std::to_string(T.rows().n_global()) + ", " + std::to_string(A.rows().n_global()) + " and " +
        std::to_string(S.rows().n_global()) + " rows or differ in who owns them.");
  const TrilinosMatrix result = product(T, true, product(A, false, S));
  return TrilinosMatrix(trilinos::local_rows(result), T.columns(), S.columns());
}

}  // namespace halfdof
