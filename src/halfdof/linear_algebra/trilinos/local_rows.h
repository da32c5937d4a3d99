// SPDX-License-Identifier: LGPL-2.1-or-later
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
 * Internal functions of the Trilinos engine that convert between the types of Epetra and of this library.
 * Only the sources in `linear_algebra/trilinos` use these functions.
 */
namespace halfdof::trilinos {

/// Returns Epetra's communicator for a communicator of this library.
std::unique_ptr<Epetra_Comm> epetra_communicator(const Communicator& communicator);

/// Returns the Epetra map with the rows of a partition in their order. @throws NotAvailable beyond 32-bit
/// global indices
Epetra_Map map_of(const Partition& partition);

/// Returns an Epetra multivector that is a view of x, which has at least one column. Epetra's views are not
/// const: the caller must not write into the view of a read-only x.
Epetra_MultiVector view(const Epetra_BlockMap& map, ConstView<double> x);

/// Imports the value of each column in which this process stores entries from the process that owns the
/// column.
/// @param owned One value for each column that this process owns
Vector at_stored_columns(const TrilinosMatrix& A, const Vector& owned);

/// Sums the values of all processes for each column, and returns the sums for the columns that this process
/// owns.
/// @param at_stored One value for each column in which this process stores entries
Vector sum_at_owners(const TrilinosMatrix& A, const Vector& at_stored);

/**
 * Returns the given local rows of A in the given order, without stored zeros and with renumbered columns.
 * @param new_column The new number of each stored column; -1 for a column that is omitted
 */
OwnedRows renumbered_rows(const Epetra_CrsMatrix& A, const std::vector<Index>& rows,
                          const std::vector<GlobalIndex>& new_column, GlobalIndex n_columns);

/// Returns all rows of this process, with columns in the numbering of the columns in which this process
/// stores entries.
OwnedRows rows_by_stored_columns(const Epetra_CrsMatrix& A);

/// Returns all rows of this process without stored zeros, with columns in global numbering.
OwnedRows rows_by_global_columns(const Epetra_CrsMatrix& A);

/// Inserts the entries of rows into a matrix. The rows have the order of the row map of the matrix.
/// @param global_column Function that returns the global number of column j of `rows`
void insert_rows(const OwnedRows& rows, const std::function<int(int)>& global_column,
                 Epetra_CrsMatrix& matrix);

/**
 * Sums the rows with equal global numbers of all processes, and returns the sums for the rows that this
 * process owns. Row i and column j of `rows` have the global numbers at.GID(i) and columns.GID(j).
 * Collective.
 *
 * @param owners,domain The row map and the domain map of the sum
 */
OwnedRows sum_rows_at_owners(const OwnedRows& rows, const Epetra_Map& at, const Epetra_Map& columns,
                             const Epetra_Map& owners, const Epetra_Map& domain);

/// Returns the transposed matrix A^T. The owner of a column of A owns the corresponding row of A^T.
/// Collective.
TrilinosMatrix transposed(const TrilinosMatrix& A);

/// Returns whether both partitions give each process equal rows in equal order. Collective.
bool same_layout(const Partition& a, const Partition& b);

/// Returns the size of A as text, such as "12 x 12".
std::string size_of(const TrilinosMatrix& A);

/// Throws InvalidInput if A and B differ in size or in distribution. Collective.
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
