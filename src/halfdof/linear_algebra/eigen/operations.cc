#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace halfdof {

namespace {

using Storage = EigenMatrix::Storage;

/// Builds a compressed matrix column by column, rows ascending; exact zeros are left out.
class ColumnBuilder {
 public:
  ColumnBuilder(Index n_rows, Index n_columns, Eigen::Index most_entries) : matrix_(n_rows, n_columns) {
    matrix_.resizeNonZeros(most_entries);
  }

  void add(Index row, double value) {
    if (value == 0.) return;
    matrix_.innerIndexPtr()[n_entries_] = row;
    matrix_.valuePtr()[n_entries_] = value;
    ++n_entries_;
  }

  /// The entries of a column of A, row i becoming new_row[i]: -1 where it is left out.
  void add_column(const Storage& a, Index column, const std::vector<Index>& new_row) {
    const Index* rows = a.innerIndexPtr();
    const double* values = a.valuePtr();
    Index* to_rows = matrix_.innerIndexPtr();
    double* to_values = matrix_.valuePtr();
    Index n = n_entries_;
    // Each entry is written, and stays only if the next one does not overwrite it: nothing to foretell.
    for (Index k = a.outerIndexPtr()[column]; k < a.outerIndexPtr()[column + 1]; ++k) {
      const Index row = new_row[static_cast<std::size_t>(rows[k])];
      to_rows[n] = row;
      to_values[n] = values[k];
      n += static_cast<Index>(row >= 0) & static_cast<Index>(values[k] != 0.);
    }
    n_entries_ = n;
  }

  void finish_column() { matrix_.outerIndexPtr()[++n_finished_] = n_entries_; }

  EigenMatrix finish() { return EigenMatrix(std::move(finished())); }
  EigenMatrix finish(bool is_symmetric) { return EigenMatrix(std::move(finished()), is_symmetric); }

 private:
  Storage& finished() {
    matrix_.resizeNonZeros(n_entries_);
    return matrix_;
  }

  Storage matrix_;
  Index n_entries_ = 0;
  Index n_finished_ = 0;
};

/// At the speed of memory: eight sums at once, none of which waits for the one before, and what comes next is fetched.
double sum_of_magnitudes(const double* values, Index n) {
  using Eight = Eigen::Array<double, 8, 1>;
  Eight sums = Eight::Zero();
  Index k = 0;
  for (; k + 8 <= n; k += 8) {
    __builtin_prefetch(values + k + 128);
    sums += Eigen::Map<const Eight>(values + k).abs();
  }
  double sum = sums.sum();
  for (; k < n; ++k)
    sum += std::abs(values[k]);
  return sum;
}

bool has_stored_zeros(const Storage& a) {
  return (Eigen::Map<const Eigen::ArrayXd>(a.valuePtr(), a.nonZeros()) == 0.).any();
}

std::string shape(const EigenMatrix& A) {
  return std::to_string(A.rows().n_global()) + " x " + std::to_string(A.columns().n_global());
}

}  // namespace

Vector EigenEngine::column_norms(const Matrix& A) {
  const Storage& a = A.entries();
  const Index* starts = a.outerIndexPtr();
  Vector norms(a.cols());
  for (Index j = 0; j < a.cols(); ++j)
    norms[j] = sum_of_magnitudes(a.valuePtr() + starts[j], starts[j + 1] - starts[j]);
  return norms;
}

Vector EigenEngine::row_norms(const Matrix& A) {
  if (A.is_symmetric()) return column_norms(A);
  const Storage& a = A.entries();
  Vector norms = Vector::Zero(a.rows());
  for (Eigen::Index k = 0; k < a.nonZeros(); ++k)
    norms[a.innerIndexPtr()[k]] += std::abs(a.valuePtr()[k]);
  return norms;
}

LineNorms EigenEngine::scaled_norms(const Matrix& A, const Vector& row_factors,
                                    const Vector& column_factors) {
  const Storage& a = A.entries();
  const Index* starts = a.outerIndexPtr();
  const Index* rows = a.innerIndexPtr();
  const double* values = a.valuePtr();
  LineNorms norms{Vector::Zero(a.rows()), Vector(a.cols())};
  for (Index j = 0; j < a.cols(); ++j) {
    double sum = 0;
    for (Index k = starts[j]; k < starts[j + 1]; ++k) {
      const double magnitude = std::abs(values[k]) * std::abs(row_factors[rows[k]] * column_factors[j]);
      sum += magnitude;
      norms.rows[rows[k]] += magnitude;
    }
    norms.columns[j] = sum;
  }
  return norms;
}

std::optional<NonFiniteEntry> EigenEngine::find_non_finite(const Matrix& A) {
  const Storage& a = A.entries();
  // x - x is zero for a finite x and not a number otherwise: one pass that the compiler vectorizes.
  const Eigen::Map<const Eigen::ArrayXd> values(a.valuePtr(), a.nonZeros());
  if ((values - values).sum() == 0.) return std::nullopt;
  std::optional<NonFiniteEntry> first;
  for (Index j = 0; j < a.cols(); ++j)
    for (Storage::InnerIterator entry(a, j); entry; ++entry)
      if (!std::isfinite(entry.value()) && (!first || entry.row() < first->row))
        first = NonFiniteEntry{entry.row(), j, entry.value()};
  return first;
}

EigenMatrix EigenEngine::select_columns(const Matrix& M, const Matrix& C, const Matrix& K,
                                        const std::vector<ColumnSource>& source) {
  const Index n_rows = M.rows().n_local();
  const Index n_columns = M.columns().n_local();
  for (const Matrix* A : {&C, &K})
    if (A->rows().n_local() != n_rows || A->columns().n_local() != n_columns)
      throw InvalidInput("Columns can be selected from matrices of one size only, but they are " + shape(M) +
                         ", " + shape(C) + " and " + shape(K) + ".");
  if (static_cast<Index>(source.size()) != n_columns)
    throw InvalidInput("Each of the " + std::to_string(n_columns) + " columns needs a source, but " +
                       std::to_string(source.size()) + " are given.");

  const auto matrix_of = [&](Index j) -> const Storage& {
    const ColumnSource from = source[static_cast<std::size_t>(j)];
    return (from == ColumnSource::mass ? M : from == ColumnSource::damping ? C : K).entries();
  };
  Eigen::Index most_entries = 0;
  for (Index j = 0; j < n_columns; ++j)
    most_entries += matrix_of(j).outerIndexPtr()[j + 1] - matrix_of(j).outerIndexPtr()[j];

  ColumnBuilder selected(n_rows, n_columns, most_entries);
  for (Index j = 0; j < n_columns; ++j) {
    for (Storage::InnerIterator entry(matrix_of(j), j); entry; ++entry)
      selected.add(static_cast<Index>(entry.row()), entry.value());
    selected.finish_column();
  }
  return selected.finish();
}

EigenMatrix EigenEngine::submatrix(const Matrix& A, const Selection& rows, const Selection& columns) {
  const Storage& a = A.entries();
  const bool selects_all = rows.n_local() == a.rows() && columns.n_local() == a.cols();
  if (selects_all && !has_stored_zeros(a)) return A;
  if (columns.n_local() == 0) return EigenMatrix(Storage(rows.n_local(), 0));
  std::vector<Index> new_row(static_cast<std::size_t>(a.rows()), -1);
  for (Index i = 0; i < rows.n_local(); ++i)
    new_row[static_cast<std::size_t>(rows.local()[static_cast<std::size_t>(i)])] = i;

  Eigen::Index most_entries = 0;
  for (const Index j : columns.local())
    most_entries += a.outerIndexPtr()[j + 1] - a.outerIndexPtr()[j];

  ColumnBuilder selected(rows.n_local(), columns.n_local(), most_entries + 1);
  for (const Index j : columns.local()) {
    selected.add_column(a, j, new_row);
    selected.finish_column();
  }
  if (rows.local() != columns.local()) return selected.finish(false);
  return A.is_symmetric() ? selected.finish(true) : selected.finish();
}

double EigenEngine::asymmetry(const Matrix& A) {
  const Storage& a = A.entries();
  if (a.rows() != a.cols())
    throw InvalidInput("Only a square matrix can be symmetric, but this one is " + shape(A) + ".");
  if (A.is_symmetric()) return 0;
  const Index* starts = a.outerIndexPtr();
  const Index* rows = a.innerIndexPtr();
  const double* values = a.valuePtr();
  const Vector norms = column_norms(A);
  double largest = 0;
  const auto compare = [&](Index i, Index j, double difference) {
    if (difference != 0.) largest = std::max(largest, std::abs(difference) / std::max(norms[i], norms[j]));
  };

  // next[i] walks down the upper triangle of column i while the rows j of the lower triangle ascend.
  std::vector<Index> next(starts, starts + a.cols());
  const auto skip_unmatched = [&](Index i, Index until_row) {
    Index& k = next[static_cast<std::size_t>(i)];
    for (; k < starts[i + 1] && rows[k] < until_row; ++k)
      compare(rows[k], i, values[k]);
    return k;
  };
  for (Index j = 0; j < a.cols(); ++j) {
    skip_unmatched(j, j);
    for (Index k = starts[j]; k < starts[j + 1]; ++k) {
      const Index i = rows[k];
      if (i <= j) continue;
      const Index partner = skip_unmatched(i, j);
      const bool matched = partner < starts[i + 1] && rows[partner] == j;
      compare(i, j, matched ? values[k] - values[partner] : values[k]);
      if (matched) ++next[static_cast<std::size_t>(i)];
    }
  }
  return largest;
}

EigenMatrix EigenEngine::diagonal(const Vector& d, const Partition& partition) {
  if (d.size() != partition.n_local())
    throw InvalidInput("A diagonal matrix of " + std::to_string(partition.n_local()) +
                       " rows needs as many values, but " + std::to_string(d.size()) + " are given.");
  const Index n = partition.n_local();
  ColumnBuilder matrix(n, n, n);
  for (Index j = 0; j < n; ++j) {
    matrix.add(j, d[j]);
    matrix.finish_column();
  }
  return matrix.finish();
}

EigenMatrix EigenEngine::sum(double alpha, const Matrix& A, double beta, const Matrix& B) {
  if (A.rows().n_local() != B.rows().n_local() || A.columns().n_local() != B.columns().n_local())
    throw InvalidInput("Matrices of different size cannot be added: " + shape(A) + " and " + shape(B) + ".");
  const Storage& a = A.entries();
  const Storage& b = B.entries();
  ColumnBuilder matrix(static_cast<Index>(a.rows()), static_cast<Index>(a.cols()),
                       a.nonZeros() + b.nonZeros());
  for (Index j = 0; j < a.cols(); ++j) {
    Storage::InnerIterator in_a(a, j);
    Storage::InnerIterator in_b(b, j);
    while (in_a || in_b) {
      const auto row =
          static_cast<Index>(!in_b || (in_a && in_a.row() < in_b.row()) ? in_a.row() : in_b.row());
      double value = 0;
      if (in_a && in_a.row() == row) value += alpha * in_a.value(), ++in_a;
      if (in_b && in_b.row() == row) value += beta * in_b.value(), ++in_b;
      matrix.add(row, value);
    }
    matrix.finish_column();
  }
  return matrix.finish();
}

EigenMatrix EigenEngine::scaled(const Matrix& A, const Vector& row_factors, const Vector& column_factors) {
  Storage scaled = A.entries();
  for (Index j = 0; j < scaled.cols(); ++j)
    for (Storage::InnerIterator entry(scaled, j); entry; ++entry)
      entry.valueRef() *= row_factors[entry.row()] * column_factors[j];
  return EigenMatrix(std::move(scaled));
}

MultiVector EigenEngine::to_dense(const Matrix& A) {
  return A.entries().toDense();
}

}  // namespace halfdof
