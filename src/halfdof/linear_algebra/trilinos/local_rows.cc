// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <Epetra_Export.h>
#include <Epetra_Import.h>
#include <Epetra_MpiComm.h>
#include <Epetra_Vector.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace halfdof::trilinos {

std::unique_ptr<Epetra_Comm> epetra_communicator(const Communicator& communicator) {
  return std::make_unique<Epetra_MpiComm>(mpi_handle(communicator));
}

Epetra_Map map_of(const Partition& partition) {
  if (partition.n_global() > std::numeric_limits<int>::max())
    throw NotAvailable(
        "The system has " + std::to_string(partition.n_global()) +
        " rows, but the Trilinos engine admits at most 2147483647 rows, because its row numbers "
        "have 32 bits. Reduce the model.");
  const auto communicator = epetra_communicator(partition.communicator());
  const GlobalIndex first = partition.communicator().sum_before(partition.n_local());
  std::vector<int> owned(static_cast<std::size_t>(partition.n_local()));
  bool consecutive = true;
  for (Index i = 0; i < partition.n_local(); ++i) {
    consecutive = consecutive && partition.global_index(i) == first + i;
    owned[static_cast<std::size_t>(i)] = static_cast<int>(partition.global_index(i));
  }
  if (!partition.communicator().any(!consecutive))
    return Epetra_Map(-1, partition.n_local(), 0, *communicator);
  return Epetra_Map(-1, partition.n_local(), owned.data(), 0, *communicator);
}

Epetra_MultiVector view(const Epetra_BlockMap& map, ConstView<double> x) {
  return Epetra_MultiVector(::View, map, const_cast<double*>(x.data()),
                            std::max(1, static_cast<int>(x.outerStride())), static_cast<int>(x.cols()));
}

Vector at_stored_columns(const TrilinosMatrix& A, const Vector& owned) {
  const Epetra_Import* importer = A.entries().Importer();
  if (!importer) return owned;
  Vector stored(A.entries().NumMyCols());
  Epetra_MultiVector target = view(A.entries().ColMap(), stored);
  target.Import(view(A.entries().DomainMap(), owned), *importer, Insert);
  return stored;
}

Vector sum_at_owners(const TrilinosMatrix& A, const Vector& at_stored) {
  const Epetra_Import* importer = A.entries().Importer();
  if (!importer) return at_stored;
  Vector owned = Vector::Zero(A.columns().n_local());
  Epetra_MultiVector target = view(A.entries().DomainMap(), owned);
  target.Export(view(A.entries().ColMap(), at_stored), *importer, Add);
  return owned;
}

namespace {

/// Returns the numbers 0 ... n-1.
std::vector<Index> first_numbers(Index n) {
  std::vector<Index> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

OwnedRows renumbered_rows(const Epetra_CrsMatrix& A, const std::vector<Index>& rows,
                          const std::vector<GlobalIndex>& new_column, GlobalIndex n_columns) {
  OwnedRows result(static_cast<Eigen::Index>(rows.size()), n_columns);
  std::vector<std::pair<int, double>> row_entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    int n = 0;
    double* values = nullptr;
    int* columns = nullptr;
    A.ExtractMyRowView(rows[i], n, values, columns);
    row_entries.clear();
    for (int k = 0; k < n; ++k) {
      const GlobalIndex column = new_column[static_cast<std::size_t>(columns[k])];
      if (column >= 0 && values[k] != 0.) row_entries.emplace_back(static_cast<int>(column), values[k]);
    }
    std::sort(row_entries.begin(), row_entries.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    result.startVec(static_cast<Eigen::Index>(i));
    for (const auto& [column, value] : row_entries)
      result.insertBack(static_cast<Eigen::Index>(i), column) = value;
  }
  result.finalize();
  return result;
}

OwnedRows rows_by_stored_columns(const Epetra_CrsMatrix& A) {
  std::vector<GlobalIndex> columns(static_cast<std::size_t>(A.NumMyCols()));
  std::iota(columns.begin(), columns.end(), 0);
  return renumbered_rows(A, first_numbers(A.NumMyRows()), columns, A.NumMyCols());
}

OwnedRows rows_by_global_columns(const Epetra_CrsMatrix& A) {
  std::vector<GlobalIndex> columns(static_cast<std::size_t>(A.NumMyCols()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    columns[j] = A.GCID(static_cast<int>(j));
  return renumbered_rows(A, first_numbers(A.NumMyRows()), columns, A.NumGlobalCols64());
}

void insert_rows(const OwnedRows& rows, const std::function<int(int)>& global_column,
                 Epetra_CrsMatrix& matrix) {
  std::vector<int> numbers;
  std::vector<double> values;
  for (int row = 0; row < rows.rows(); ++row) {
    numbers.clear();
    values.clear();
    for (OwnedRows::InnerIterator entry(rows, row); entry; ++entry) {
      numbers.push_back(global_column(static_cast<int>(entry.col())));
      values.push_back(entry.value());
    }
    if (!numbers.empty())
      matrix.InsertGlobalValues(matrix.GRID(row), static_cast<int>(numbers.size()), values.data(),
                                numbers.data());
  }
}

OwnedRows sum_rows_at_owners(const OwnedRows& rows, const Epetra_Map& at, const Epetra_Map& columns,
                             const Epetra_Map& owners, const Epetra_Map& domain) {
  Epetra_CrsMatrix overlapping(::Copy, at, 0);
  insert_rows(
      rows, [&](int column) { return columns.GID(column); }, overlapping);
  overlapping.FillComplete(domain, owners);
  Epetra_CrsMatrix summed(::Copy, owners, 0);
  summed.Export(overlapping, Epetra_Export(at, owners), Add);
  summed.FillComplete(domain, owners);
  return rows_by_global_columns(summed);
}

TrilinosMatrix transposed(const TrilinosMatrix& A) {
  const Epetra_CrsMatrix& entries = A.entries();
  const OwnedRows here = rows_by_stored_columns(entries).transpose();
  return TrilinosMatrix(
      sum_rows_at_owners(here, entries.ColMap(), entries.RowMap(), entries.DomainMap(), entries.RowMap()),
      A.columns(), A.rows());
}

bool same_layout(const Partition& a, const Partition& b) {
  bool same = a.n_local() == b.n_local() && a.n_global() == b.n_global();
  for (Index i = 0; same && i < a.n_local(); ++i)
    same = a.global_index(i) == b.global_index(i);
  return !a.communicator().any(!same);
}

std::string size_of(const TrilinosMatrix& A) {
  return std::to_string(A.rows().n_global()) + " x " + std::to_string(A.columns().n_global());
}

void check_same_layout(const TrilinosMatrix& A, const TrilinosMatrix& B) {
  const bool same_rows = same_layout(A.rows(), B.rows());
  const bool same_columns = same_layout(A.columns(), B.columns());
  if (!same_rows || !same_columns)
    throw InvalidInput(
        "Two matrices of one system, of the sizes " + size_of(A) + " and " + size_of(B) +
        ", differ in the numbers of their " + (same_rows ? "columns" : "rows") +
        " or in the distribution of these over the processes. Construct both matrices with the same "
        "maps or partitions.");
}

}  // namespace halfdof::trilinos
