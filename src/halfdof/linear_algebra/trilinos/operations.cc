// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Import.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace halfdof {

using namespace trilinos;

namespace {

/// Largest number of rows or columns for which to_dense() stores a dense matrix on every process (200 MB).
constexpr GlobalIndex max_dense_size = 5000;

/// Returns the rows of A that other processes own and whose numbers are column numbers of entries of this
/// process.
std::unique_ptr<Epetra_CrsMatrix> rows_of_other_processes(const Epetra_CrsMatrix& A) {
  std::vector<int> numbers;
  for (int j = 0; j < A.NumMyCols(); ++j)
    if (A.LRID(A.GCID(j)) < 0) numbers.push_back(A.GCID(j));
  const Epetra_Map map(-1, static_cast<int>(numbers.size()), numbers.data(), 0, A.Comm());
  auto rows = std::make_unique<Epetra_CrsMatrix>(::Copy, map, 0);
  rows->Import(A, Epetra_Import(map, A.RowMap()), Insert);
  rows->FillComplete(A.DomainMap(), A.RowMap());
  return rows;
}

/// Finds entries by row and column. The search is fast if the requested columns of each row are ascending.
class EntryFinder {
 public:
  explicit EntryFinder(const Epetra_CrsMatrix& A)
      : A_(A), next_(static_cast<std::size_t>(A.NumMyRows()), 0) {}

  /// Returns the entry in a row and a column; zero if the entry is not stored. @param column Number of the
  /// column among the columns that are stored on this process; -1 if the column is not stored
  double operator()(int row, int column) {
    int n = 0;
    double* values = nullptr;
    int* columns = nullptr;
    A_.ExtractMyRowView(row, n, values, columns);
    int& k = next_[static_cast<std::size_t>(row)];
    if (k >= n || columns[k] != column)
      k = static_cast<int>(std::lower_bound(columns, columns + n, column) - columns);
    return k < n && columns[k] == column ? values[k++] : 0.;
  }

 private:
  const Epetra_CrsMatrix& A_;
  std::vector<int> next_;
};

/// Returns the norms of the columns whose numbers are the numbers of the rows of this process.
Vector column_norms_of_rows(const TrilinosMatrix& A, const Vector& column_norms) {
  const Epetra_Map &rows = A.entries().RowMap(), &columns = A.entries().DomainMap();
  Vector of_row(A.rows().n_local());
  view(rows, of_row).Import(view(columns, column_norms), Epetra_Import(rows, columns), Insert);
  return of_row;
}

/// Returns whether a selection contains all rows of a partition in their order. Collective.
bool selects_all(const Selection& selection, const Partition& of) {
  return same_layout(selection.partition(), of);
}

/// Returns whether a process stores an entry with the value zero. Collective.
bool has_stored_zeros(const TrilinosMatrix& A) {
  bool found = false;
  for_each_entry(A, [&](int, int, double value) { found = found || value == 0.; });
  return A.rows().communicator().any(found);
}

/// Returns the blocks of rows without a copy if one selection contains all rows and columns of A: A itself
/// for this selection, and empty blocks for the other selections. The result is an empty list if there is no
/// such selection, or if A has stored zeros. Collective.
std::vector<TrilinosMatrix> shared_blocks(const TrilinosMatrix& A, const std::vector<Selection>& rows,
                                          const Selection& columns) {
  if (!selects_all(columns, A.columns())) return {};
  std::vector<bool> are_all;
  for (const Selection& selection : rows)
    are_all.push_back(selects_all(selection, A.rows()));
  if (std::find(are_all.begin(), are_all.end(), true) == are_all.end() || has_stored_zeros(A)) return {};
  std::vector<TrilinosMatrix> blocks;
  for (std::size_t b = 0; b < rows.size(); ++b)
    blocks.push_back(are_all[b] ? A
                                : TrilinosMatrix(OwnedRows(rows[b].n_local(), columns.n_global()),
                                                 rows[b].partition(), columns.partition()));
  return blocks;
}

}  // namespace

Vector TrilinosEngine::column_norms(const Matrix& A) {
  Vector norms = Vector::Zero(A.entries().NumMyCols());
  for_each_entry(A, [&](int, int column, double value) { norms[column] += std::abs(value); });
  return sum_at_owners(A, norms);
}

Vector TrilinosEngine::column_norms(const Matrix& A, const Selection& rows) {
  Vector is_selected = Vector::Zero(A.rows().n_local());
  is_selected(rows.local()).setOnes();
  Vector norms = Vector::Zero(A.entries().NumMyCols());
  for_each_entry(A, [&](int row, int column, double value) {
    if (is_selected[row] != 0) norms[column] += std::abs(value);
  });
  return sum_at_owners(A, norms);
}

Vector TrilinosEngine::row_norms(const Matrix& A) {
  Vector norms = Vector::Zero(A.rows().n_local());
  for_each_entry(A, [&](int row, int, double value) { norms[row] += std::abs(value); });
  return norms;
}

LineNorms TrilinosEngine::scaled_norms(const Matrix& A, const Vector& row_factors,
                                       const Vector& column_factors) {
  const Vector stored = at_stored_columns(A, column_factors);
  Vector rows = Vector::Zero(A.rows().n_local()), columns = Vector::Zero(A.entries().NumMyCols());
  for_each_entry(A, [&](int row, int column, double value) {
    const double magnitude = std::abs(value) * std::abs(row_factors[row] * stored[column]);
    rows[row] += magnitude;
    columns[column] += magnitude;
  });
  return {std::move(rows), sum_at_owners(A, columns)};
}

std::optional<NonFiniteEntry> TrilinosEngine::find_non_finite(const Matrix& A) {
  const auto before = [](const NonFiniteEntry& a, const NonFiniteEntry& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  };
  std::optional<NonFiniteEntry> first;
  for_each_entry(A, [&](int row, int column, double value) {
    if (std::isfinite(value)) return;
    const NonFiniteEntry entry{A.entries().GRID(row), A.entries().GCID(column), value};
    if (!first || before(entry, *first)) first = entry;
  });

  const Communicator& communicator = A.rows().communicator();
  if (!communicator.any(first.has_value())) return std::nullopt;
  std::vector<double> here;
  if (first) here = {static_cast<double>(first->row), static_cast<double>(first->column), first->value};
  const std::vector<double> all = gather(communicator, here);
  std::vector<NonFiniteEntry> entries;
  for (std::size_t i = 0; i < all.size(); i += 3)
    entries.push_back({static_cast<GlobalIndex>(all[i]), static_cast<GlobalIndex>(all[i + 1]), all[i + 2]});
  return *std::min_element(entries.begin(), entries.end(), before);
}

TrilinosMatrix TrilinosEngine::select_columns(const Matrix& M, const Matrix& C, const Matrix& K,
                                              const std::vector<ColumnSource>& source) {
  check_same_layout(M, C);
  check_same_layout(M, K);
  if (M.rows().communicator().any(static_cast<Index>(source.size()) != M.columns().n_local()))
    throw InvalidInput(
        "For each column that a process owns, the matrix (M, C or K) from which it is taken must be "
        "given, but on some process the numbers differ. This process has " +
        std::to_string(M.columns().n_local()) + " columns, and its list has " +
        std::to_string(source.size()) + " entries.");
  Vector owned(M.columns().n_local());
  for (Index j = 0; j < owned.size(); ++j)
    owned[j] = static_cast<double>(source[static_cast<std::size_t>(j)]);

  std::vector<Index> all_rows(static_cast<std::size_t>(M.rows().n_local()));
  for (std::size_t i = 0; i < all_rows.size(); ++i)
    all_rows[i] = static_cast<Index>(i);
  const auto columns_from = [&](const Matrix& A, ColumnSource which) {
    const Vector stored = at_stored_columns(A, owned);
    std::vector<GlobalIndex> number(static_cast<std::size_t>(stored.size()), -1);
    for (Index j = 0; j < stored.size(); ++j)
      if (stored[j] == static_cast<double>(which)) number[static_cast<std::size_t>(j)] = A.entries().GCID(j);
    return renumbered_rows(A.entries(), all_rows, number, A.columns().n_global());
  };
  OwnedRows D = columns_from(M, ColumnSource::mass);
  D += columns_from(C, ColumnSource::damping);
  D += columns_from(K, ColumnSource::stiffness);
  return TrilinosMatrix(D, M.rows(), M.columns());
}

TrilinosMatrix TrilinosEngine::submatrix(const Matrix& A, const Selection& rows, const Selection& columns) {
  return row_blocks(A, {rows}, columns).front();
}

std::vector<TrilinosMatrix> TrilinosEngine::row_blocks(const Matrix& A, const std::vector<Selection>& rows,
                                                       const Selection& columns) {
  std::vector<TrilinosMatrix> blocks = shared_blocks(A, rows, columns);
  if (!blocks.empty()) return blocks;
  Vector owned = Vector::Constant(A.columns().n_local(), -1);
  for (Index j = 0; j < columns.n_local(); ++j)
    owned[columns.local()[static_cast<std::size_t>(j)]] =
        static_cast<double>(columns.partition().global_index(j));
  const Vector stored = at_stored_columns(A, owned);
  std::vector<GlobalIndex> number(static_cast<std::size_t>(stored.size()));
  for (std::size_t j = 0; j < number.size(); ++j)
    number[j] = static_cast<GlobalIndex>(stored[static_cast<Index>(j)]);
  for (const Selection& selection : rows)
    blocks.emplace_back(renumbered_rows(A.entries(), selection.local(), number, columns.n_global()),
                        selection.partition(), columns.partition());
  return blocks;
}

double TrilinosEngine::asymmetry(const Matrix& A) {
  if (A.rows().n_global() != A.columns().n_global())
    throw InvalidInput("The symmetry of a matrix is defined for square matrices only, but the matrix is " +
                       size_of(A) + ".");
  const Epetra_CrsMatrix& entries = A.entries();
  const Vector roots = column_norms(A).cwiseSqrt(), of_row = column_norms_of_rows(A, roots),
               of_column = at_stored_columns(A, roots);
  const auto elsewhere = rows_of_other_processes(entries);
  std::vector<int> column_of(static_cast<std::size_t>(entries.NumMyRows())),
      row_of(static_cast<std::size_t>(entries.NumMyCols()));
  for (int i = 0; i < entries.NumMyRows(); ++i)
    column_of[static_cast<std::size_t>(i)] = entries.LCID(entries.GRID(i));
  for (int j = 0; j < entries.NumMyCols(); ++j)
    row_of[static_cast<std::size_t>(j)] = entries.LRID(entries.GCID(j));
  EntryFinder here(entries), there(*elsewhere);
  double largest = 0;
  for_each_entry(A, [&](int row, int column, double value) {
    const int opposite = row_of[static_cast<std::size_t>(column)];
    const double other =
        opposite >= 0 ? here(opposite, column_of[static_cast<std::size_t>(row)])
                      : there(elsewhere->LRID(entries.GCID(column)), elsewhere->LCID(entries.GRID(row)));
    if (value == other) return;
    const double difference = std::abs(value - other) / of_row[row] / of_column[column];
    if (std::isnan(difference) || difference > largest) largest = difference;
  });
  return A.rows().communicator().max(largest);
}

TrilinosMatrix TrilinosEngine::diagonal(const Vector& d, const Partition& partition) {
  if (partition.communicator().any(d.size() != partition.n_local()))
    throw InvalidInput(
        "A diagonal matrix needs one value for each row, but on some process the numbers differ. "
        "This process has " +
        std::to_string(partition.n_local()) + " rows and " + std::to_string(d.size()) + " values.");
  OwnedRows rows(partition.n_local(), partition.n_global());
  for (Index i = 0; i < partition.n_local(); ++i) {
    rows.startVec(i);
    if (d[i] != 0.) rows.insertBack(i, partition.global_index(i)) = d[i];
  }
  rows.finalize();
  return TrilinosMatrix(rows, partition, partition);
}

TrilinosMatrix TrilinosEngine::sum(double alpha, const Matrix& A, double beta, const Matrix& B) {
  check_same_layout(A, B);
  return TrilinosMatrix(
      alpha * rows_by_global_columns(A.entries()) + beta * rows_by_global_columns(B.entries()), A.rows(),
      A.columns());
}

TrilinosMatrix TrilinosEngine::scaled(const Matrix& A, const Vector& row_factors,
                                      const Vector& column_factors) {
  auto entries = std::make_shared<Epetra_CrsMatrix>(A.entries());
  const Vector stored = at_stored_columns(A, column_factors);
  for (int i = 0; i < entries->NumMyRows(); ++i) {
    int n_entries = 0;
    double* values = nullptr;
    int* columns = nullptr;
    entries->ExtractMyRowView(i, n_entries, values, columns);
    for (int k = 0; k < n_entries; ++k)
      values[k] *= row_factors[i] * stored[columns[k]];
  }
  return TrilinosMatrix(std::shared_ptr<const Epetra_CrsMatrix>(std::move(entries)));
}

MultiVector TrilinosEngine::to_dense(const Matrix& A) {
  if (std::max(A.rows().n_global(), A.columns().n_global()) > max_dense_size)
    throw NotAvailable("A " + size_of(A) +
                       " matrix is too large to be stored as a dense matrix on every process. " +
                       "The limit is " + std::to_string(max_dense_size) +
                       " rows and columns. Use a smaller model or a method for sparse matrices.");
  std::vector<double> here;
  for_each_entry(A, [&](int row, int column, double value) {
    here.insert(here.end(), {static_cast<double>(A.entries().GRID(row)),
                             static_cast<double>(A.entries().GCID(column)), value});
  });
  const std::vector<double> all = gather(A.rows().communicator(), here);
  MultiVector dense = MultiVector::Zero(A.rows().n_global(), A.columns().n_global());
  for (std::size_t i = 0; i < all.size(); i += 3)
    dense(static_cast<Index>(all[i]), static_cast<Index>(all[i + 1])) = all[i + 2];
  return dense;
}

}  // namespace halfdof
