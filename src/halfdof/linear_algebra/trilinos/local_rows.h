#pragma once

#include <halfdof/linear_algebra/trilinos/engine.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_MultiVector.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * What the sources of the Trilinos engine share: between Epetra's objects and ours. Not for use outside of
 * `linear_algebra/trilinos`.
 */
namespace halfdof::trilinos {

/// Epetra's communicator for ours.
std::unique_ptr<Epetra_Comm> epetra_communicator(const Communicator& communicator);

/// Epetra's map for a partition: same order. @throws NotAvailable beyond 32-bit global indices
Epetra_Map map_of(const Partition& partition);

/// An Epetra multivector on the memory of x, which has at least one column. Whoever takes a read-only x must
/// leave it as it is: Epetra's views know no const.
Epetra_MultiVector view(const Epetra_BlockMap& map, ConstView<double> x);

/// One value for each column in which this process stores entries, brought from the owner of the column.
Vector at_stored_columns(const TrilinosMatrix& A, const Vector& owned);

/// The inverse way: sums what all processes have at their stored columns, at the owner of the column.
Vector sum_at_owners(const TrilinosMatrix& A, const Vector& at_stored);

/**
 * The given local rows of A, one after the other and without stored zeros, columns renumbered: `new_column`
 * holds the new number for each stored column, or -1 if it is to be left out.
 */
OwnedRows renumbered_rows(const Epetra_CrsMatrix& A, const std::vector<Index>& rows,
                          const std::vector<GlobalIndex>& new_column, GlobalIndex n_columns);

/// All rows of this process, columns in the numbering of the columns stored here.
OwnedRows rows_by_stored_columns(const Epetra_CrsMatrix& A);

/// All rows of this process, columns in global numbering, without stored zeros.
OwnedRows rows_by_global_columns(const Epetra_CrsMatrix& A);

/// Inserts rows in the order of the matrix's row map; `global_column` says which number column j has.
void insert_rows(const OwnedRows& rows, const std::function<int(int)>& global_column,
                 Epetra_CrsMatrix& matrix);

/**
 * Sums rows of the same global number at their owner. Row i and column j of `rows` have the numbers at.GID(i)
 * and columns.GID(j); several processes may have the same. Collective.
 *
 * @param owners,domain The row map and the domain map of the sum.
 */
OwnedRows sum_rows_at_owners(const OwnedRows& rows, const Epetra_Map& at, const Epetra_Map& columns,
                             const Epetra_Map& owners, const Epetra_Map& domain);

/// A^T; the process that owns a column of A owns that row. Collective.
TrilinosMatrix transposed(const TrilinosMatrix& A);

/// Whether both partitions give each process the same rows in the same order. Collective.
bool same_layout(const Partition& a, const Partition& b);

/// "12 x 12"
std::string size_of(const TrilinosMatrix& A);

/// Collective. @throws InvalidInput if A and B differ in size or in distribution
void check_same_layout(const TrilinosMatrix& A, const TrilinosMatrix& B);

/// Calls visit(local row, stored column, value) for each entry of this process.
template <class Visitor>
void for_each_entry(const TrilinosMatrix& A, Visitor visit);

}  // namespace halfdof::trilinos

template <class Visitor>
void halfdof::trilinos::for_each_entry(const TrilinosMatrix& A, Visitor visit) {
  for (int row = 0; row < A.entries().NumMyRows(); ++row) {
    int n = 0;
    double* values = nullptr;
    int* columns = nullptr;
    A.entries().ExtractMyRowView(row, n, values, columns);
    for (int k = 0; k < n; ++k)
      visit(row, columns[k], values[k]);
  }
}
