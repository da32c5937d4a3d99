#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Import.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace halfdof {

using namespace trilinos;

namespace {

/// Above this size, to_dense() would fill the memory of every process (200 MB for one matrix).
constexpr GlobalIndex max_dense_size = 5000;

/// A^T distributed like A: entry (j, i) where A has (i, j), at the owner of row j.
OwnedRows transposed_rows(const Epetra_CrsMatrix& A) {
  const OwnedRows here = rows_by_stored_columns(A).transpose();
  return sum_rows_at_owners(here, A.ColMap(), A.RowMap(), A.RowMap(), A.RowMap());
}

/// a_ij / max(n_i, n_j) with the 1-norms n of the columns.
TrilinosMatrix scaled_by_norms(const TrilinosMatrix& A) {
  const Vector norms = TrilinosEngine::column_norms(A);
  const Vector of_column = at_stored_columns(A, norms);
  Vector of_row(A.rows().n_local());
  view(A.entries().RowMap(), of_row)
      .Import(view(A.entries().DomainMap(), norms),
              Epetra_Import(A.entries().RowMap(), A.entries().DomainMap()), Insert);
  const auto scaled = std::make_shared<Epetra_CrsMatrix>(A.entries());
  for (int row = 0; row < scaled->NumMyRows(); ++row) {
    int n = 0;
    double* values = nullptr;
    int* columns = nullptr;
    scaled->ExtractMyRowView(row, n, values, columns);
    for (int k = 0; k < n; ++k)
      if (values[k] != 0.) values[k] /= std::max(of_row[row], of_column[columns[k]]);
  }
  return TrilinosMatrix(scaled);
}

/// Whether every process keeps its rows and their numbers. Collective.
bool selects_all(const Selection& selection, const Partition& of) {
  return same_layout(selection.partition(), of);
}

/// Collective.
bool has_stored_zeros(const TrilinosMatrix& A) {
  bool found = false;
  for_each_entry(A, [&](int, int, double value) { found = found || value == 0.; });
  return A.rows().communicator().any(found);
}

}  // namespace

Vector TrilinosEngine::column_norms(const Matrix& A) {
  Vector norms = Vector::Zero(A.entries().NumMyCols());
  for_each_entry(A, [&](int, int column, double value) { norms[column] += std::abs(value); });
  return sum_at_owners(A, norms);
}

Vector TrilinosEngine::row_norms(const Matrix& A) {
  Vector norms = Vector::Zero(A.rows().n_local());
  for_each_entry(A, [&](int row, int, double value) { norms[row] += std::abs(value); });
  return norms;
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
    throw InvalidInput("Each column that a process owns needs a source, but on some process their numbers " +
                       std::string("differ: here ") + std::to_string(M.columns().n_local()) +
                       " columns and " + std::to_string(source.size()) + " sources.");
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
  if (selects_all(rows, A.rows()) && selects_all(columns, A.columns()) && !has_stored_zeros(A)) return A;
  Vector owned = Vector::Constant(A.columns().n_local(), -1);
  for (Index j = 0; j < columns.n_local(); ++j)
    owned[columns.local()[static_cast<std::size_t>(j)]] =
        static_cast<double>(columns.partition().global_index(j));
  const Vector stored = at_stored_columns(A, owned);
  std::vector<GlobalIndex> number(static_cast<std::size_t>(stored.size()));
  for (std::size_t j = 0; j < number.size(); ++j)
    number[j] = static_cast<GlobalIndex>(stored[static_cast<Index>(j)]);
  return TrilinosMatrix(renumbered_rows(A.entries(), rows.local(), number, columns.n_global()),
                        rows.partition(), columns.partition());
}

double TrilinosEngine::asymmetry(const Matrix& A) {
  if (A.rows().n_global() != A.columns().n_global())
    throw InvalidInput("The symmetry of a matrix that is " + size_of(A) +
                       " was asked for. Only square matrices can be symmetric.");
  const TrilinosMatrix scaled = scaled_by_norms(A);
  const OwnedRows difference = rows_by_global_columns(scaled.entries()) - transposed_rows(scaled.entries());
  const Eigen::Map<const Eigen::ArrayXd> values(difference.valuePtr(), difference.nonZeros());
  const double here = values.size() > 0 ? values.abs().maxCoeff<Eigen::PropagateNaN>() : 0.;
  return A.rows().communicator().max(here);
}

TrilinosMatrix TrilinosEngine::diagonal(const Vector& d, const Partition& partition) {
  if (partition.communicator().any(d.size() != partition.n_local()))
    throw InvalidInput("A diagonal matrix needs one value for each row, but on some process their numbers " +
                       std::string("differ: here ") + std::to_string(partition.n_local()) + " rows and " +
                       std::to_string(d.size()) + " values.");
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
    throw NotAvailable("A matrix that is " + size_of(A) + " was asked for densely on every process. " +
                       "The limit is " + std::to_string(max_dense_size) +
                       " rows and columns: keep the matrix sparse and distributed.");
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
