// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/eigen/sparse_kernels.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

using Storage = EigenMatrix::Storage;
using Entries = EigenMatrix::Entries;

/// Builds a compressed matrix column by column from entries with ascending rows. Exact zeros are omitted.
class ColumnBuilder {
 public:
  /// The end of the arrays of entries, where the next entry is written.
  struct End {
    Index* rows;
    double* values;
    Eigen::Index n_entries;

    /// Adds an entry, unless its row is -1 or its value is zero. An omitted entry is written as well, but the
    /// next entry overwrites it, because a branch that the processor cannot predict would be slower.
    void add(Index row, double value) {
      rows[n_entries] = row;
      values[n_entries] = value;
      n_entries += static_cast<Eigen::Index>(row >= 0) & static_cast<Eigen::Index>(value != 0.);
    }
  };

  ColumnBuilder(Index n_rows, Index n_columns, Eigen::Index max_entries) : matrix_(n_rows, n_columns) {
    matrix_.resizeNonZeros(max_entries + 1);
    end_ = {matrix_.innerIndexPtr(), matrix_.valuePtr(), 0};
  }
  ColumnBuilder(const ColumnBuilder&) = delete;
  ColumnBuilder& operator=(const ColumnBuilder&) = delete;

  void add(Index row, double value) { end_.add(row, value); }
  /// Returns the end of the entries. To add many entries, a caller adds them to a copy of the end, which
  /// compilers store in registers, and passes the copy to set_end().
  const End& end() const { return end_; }
  void set_end(const End& end) { end_ = end; }

  void finish_column() { matrix_.outerIndexPtr()[++n_finished_] = static_cast<Index>(end_.n_entries); }

  EigenMatrix finish() { return EigenMatrix(std::move(finished())); }
  EigenMatrix finish(bool is_symmetric) { return EigenMatrix(std::move(finished()), is_symmetric); }

 private:
  /// Returns the matrix. If more than half of the reserved entries are unused, their memory is released.
  Storage& finished() {
    const Eigen::Index max_entries = matrix_.data().size();
    matrix_.resizeNonZeros(end_.n_entries);
    if (2 * end_.n_entries >= max_entries) return matrix_;
    Storage exact(matrix_.rows(), matrix_.cols());
    exact.resizeNonZeros(end_.n_entries);
    std::copy_n(matrix_.outerIndexPtr(), n_finished_ + 1, exact.outerIndexPtr());
    std::copy_n(end_.rows, end_.n_entries, exact.innerIndexPtr());
    std::copy_n(end_.values, end_.n_entries, exact.valuePtr());
    matrix_.swap(exact);
    return matrix_;
  }

  Storage matrix_;
  End end_{};
  Index n_finished_ = 0;
};

/// The number of a block, and the number of a row in this block.
struct BlockRow {
  Index block, row;
};

/// Distributes the entries of a column of A among blocks of rows: row i becomes the row places[i]. The
/// function is fast if most neighbouring rows belong to the same block.
void distribute_column(const Entries& a, Index column, const std::vector<BlockRow>& places,
                       const std::vector<std::unique_ptr<ColumnBuilder>>& blocks) {
  const auto builder = [&](Index block) -> ColumnBuilder& {
    return *blocks[static_cast<std::size_t>(block)];
  };
  Index block = 0;
  ColumnBuilder::End end = builder(block).end();
  for (Index k = a.outerIndexPtr()[column]; k < a.outerIndexPtr()[column + 1]; ++k) {
    const BlockRow place = places[static_cast<std::size_t>(a.innerIndexPtr()[k])];
    if (place.block != block) {
      builder(block).set_end(end);
      block = place.block;
      end = builder(block).end();
    }
    end.add(place.row, a.valuePtr()[k]);
  }
  builder(block).set_end(end);
  for (const auto& each : blocks)
    each->finish_column();
}

/// Returns for each column whether it may have entries in rows that are not selected. In a symmetric matrix,
/// the columns with entries in row i are the rows with entries in column i. Otherwise it is checked whether
/// there are unselected rows between the first and the last row of a column.
std::vector<char> may_have_unselected_rows(const EigenMatrix& A, const Vector& is_selected) {
  const Entries& a = A.entries();
  const Index* starts = a.outerIndexPtr();
  const Index* rows = a.innerIndexPtr();
  std::vector<char> flags(static_cast<std::size_t>(a.cols()), 0);
  if (A.is_symmetric()) {
    for (Index i = 0; i < a.cols(); ++i)
      for (Index k = starts[i]; is_selected[i] == 0 && k < starts[i + 1]; ++k)
        flags[static_cast<std::size_t>(rows[k])] = 1;
    return flags;
  }
  Eigen::VectorXi n_before =
      Eigen::VectorXi::Zero(a.rows() + 1);  // number of unselected rows before each row
  for (Index i = 0; i < a.rows(); ++i)
    n_before[i + 1] = n_before[i] + (is_selected[i] == 0);
  constexpr Index ahead = 32;  // prefetch distance in columns
  for (Index j = 0; j < a.cols(); ++j) {
    const Index later = starts[std::min(j + ahead, static_cast<Index>(a.cols()))];
    __builtin_prefetch(rows + later - 1);
    __builtin_prefetch(rows + later);
    flags[static_cast<std::size_t>(j)] =
        starts[j] < starts[j + 1] && n_before[rows[starts[j + 1] - 1] + 1] > n_before[rows[starts[j]]];
  }
  return flags;
}

bool has_stored_zeros(const Entries& a) {
  return (Eigen::Map<const Eigen::ArrayXd>(a.valuePtr(), a.nonZeros()) == 0.).any();
}

/// Returns the blocks of rows without a copy if one selection contains all rows and columns of A: A itself
/// for this selection, and empty blocks for the other selections. The result is an empty list if there is no
/// such selection, or if A has stored zeros.
std::vector<EigenMatrix> shared_blocks(const EigenMatrix& A, const std::vector<Selection>& rows,
                                       const Selection& columns) {
  const auto is_all = [&](const Selection& selection) {
    return selection.n_local() == A.rows().n_local() && columns.n_local() == A.columns().n_local();
  };
  if (std::none_of(rows.begin(), rows.end(), is_all) || has_stored_zeros(A.entries())) return {};
  std::vector<EigenMatrix> blocks;
  blocks.reserve(rows.size());
  for (const Selection& selection : rows)
    blocks.push_back(is_all(selection) ? A : EigenMatrix(Storage(selection.n_local(), columns.n_local())));
  return blocks;
}

/// Returns the shape of a matrix for messages: "3 x 4".
std::string shape(const EigenMatrix& A) {
  return std::to_string(A.rows().n_global()) + " x " + std::to_string(A.columns().n_global());
}

}  // namespace

Vector EigenEngine::column_norms(const Matrix& A) {
  Vector norms(A.entries().cols());
  sum_magnitudes(columns_of(A.entries()), norms.data());
  return norms;
}

Vector EigenEngine::column_norms(const Matrix& A, const Selection& rows) {
  const Entries& a = A.entries();
  Vector norms = column_norms(A);
  if (rows.n_local() == a.rows()) return norms;
  Vector is_selected = Vector::Zero(a.rows());
  is_selected(rows.local()).setOnes();
  const std::vector<char> flags = may_have_unselected_rows(A, is_selected);
  for (Index j = 0; j < a.cols(); ++j)
    if (flags[static_cast<std::size_t>(j)])
      norms[j] = weighted_magnitudes(columns_of(a), j, is_selected.data());
  return norms;
}

Vector EigenEngine::row_norms(const Matrix& A) {
  if (A.is_symmetric()) return column_norms(A);
  const Entries& a = A.entries();
  Vector norms = Vector::Zero(a.rows());
  for (Eigen::Index k = 0; k < a.nonZeros(); ++k)
    norms[a.innerIndexPtr()[k]] += std::abs(a.valuePtr()[k]);
  return norms;
}

LineNorms EigenEngine::scaled_norms(const Matrix& A, const Vector& row_factors,
                                    const Vector& column_factors) {
  const Entries& a = A.entries();
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
  const Entries& a = A.entries();
  // x - x is zero for a finite x and NaN otherwise. The compiler vectorizes this sum, but not calls of
  // isfinite().
  const Eigen::Map<const Eigen::ArrayXd> values(a.valuePtr(), a.nonZeros());
  if ((values - values).sum() == 0.) return std::nullopt;
  std::optional<NonFiniteEntry> first;
  for (Index j = 0; j < a.cols(); ++j)
    for (Entries::InnerIterator entry(a, j); entry; ++entry)
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
      throw InvalidInput("The matrices M, C and K must have the same shape, but they are " + shape(M) + ", " +
                         shape(C) + " and " + shape(K) + ".");
  if (static_cast<Index>(source.size()) != n_columns)
    throw InvalidInput(
        "For each of the " + std::to_string(n_columns) +
        " columns, the matrix (M, C or K) from which it is taken must be given, but the list has " +
        std::to_string(source.size()) + " entries.");

  const auto matrix_of = [&](Index j) -> const Entries& {
    const ColumnSource from = source[static_cast<std::size_t>(j)];
    return (from == ColumnSource::mass ? M : from == ColumnSource::damping ? C : K).entries();
  };
  Eigen::Index max_entries = 0;
  for (Index j = 0; j < n_columns; ++j)
    max_entries += matrix_of(j).outerIndexPtr()[j + 1] - matrix_of(j).outerIndexPtr()[j];

  ColumnBuilder selected(n_rows, n_columns, max_entries);
  for (Index j = 0; j < n_columns; ++j) {
    for (Entries::InnerIterator entry(matrix_of(j), j); entry; ++entry)
      selected.add(static_cast<Index>(entry.row()), entry.value());
    selected.finish_column();
  }
  return selected.finish();
}

EigenMatrix EigenEngine::submatrix(const Matrix& A, const Selection& rows, const Selection& columns) {
  return row_blocks(A, {rows}, columns).front();
}

std::vector<EigenMatrix> EigenEngine::row_blocks(const Matrix& A, const std::vector<Selection>& rows,
                                                 const Selection& columns) {
  constexpr std::ptrdiff_t ahead = 4;
  const Entries& a = A.entries();
  if (rows.empty()) return {};
  if (std::vector<EigenMatrix> shared = shared_blocks(A, rows, columns); !shared.empty()) return shared;
  const Index* starts = a.outerIndexPtr();
  std::vector<BlockRow> places(static_cast<std::size_t>(columns.n_local() > 0 ? a.rows() : 0),
                               BlockRow{0, -1});
  Eigen::Index max_entries = 0;
  for (const Index j : columns.local())
    max_entries += starts[j + 1] - starts[j];

  std::vector<std::unique_ptr<ColumnBuilder>> blocks;
  for (const Selection& selection : rows) {
    for (Index i = 0; i < (places.empty() ? 0 : selection.n_local()); ++i)
      places[static_cast<std::size_t>(selection.local()[static_cast<std::size_t>(i)])] = {
          static_cast<Index>(blocks.size()), i};
    blocks.push_back(std::make_unique<ColumnBuilder>(selection.n_local(), columns.n_local(), max_entries));
  }
  for (auto column = columns.local().begin(); column != columns.local().end(); ++column) {
    // Later columns are prefetched, because the processor cannot predict the next selected column.
    const Index next = columns.local().end() - column > ahead ? column[ahead] : *column;
    for (Index k = starts[next]; k < starts[next + 1]; k += 8) {
      __builtin_prefetch(a.valuePtr() + k);
      __builtin_prefetch(a.innerIndexPtr() + k);
    }
    distribute_column(a, *column, places, blocks);
  }

  std::vector<EigenMatrix> finished;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const bool is_principal = rows[b].local() == columns.local();
    finished.push_back(is_principal && !A.is_symmetric() ? blocks[b]->finish()
                                                         : blocks[b]->finish(is_principal));
  }
  return finished;
}

double EigenEngine::asymmetry(const Matrix& A) {
  const Entries& a = A.entries();
  if (a.rows() != a.cols())
    throw InvalidInput("The symmetry of a matrix is defined for square matrices only, but the matrix is " +
                       shape(A) + ".");
  if (A.is_symmetric()) return 0;
  const Index* starts = a.outerIndexPtr();
  const Index* rows = a.innerIndexPtr();
  const double* values = a.valuePtr();
  const Vector roots = column_norms(A).cwiseSqrt();
  double largest = 0;
  const auto compare = [&](Index i, Index j, double difference) {
    if (difference != 0.) largest = std::max(largest, std::abs(difference) / roots[i] / roots[j]);
  };

  // next[i] is the first entry above the diagonal of column i that has not been compared yet.
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
    throw InvalidInput("A diagonal matrix with " + std::to_string(partition.n_local()) +
                       " rows needs one value for each row, but " + std::to_string(d.size()) +
                       " values are given.");
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
    throw InvalidInput("Only matrices of equal shape can be added, but the shapes are " + shape(A) + " and " +
                       shape(B) + ".");
  const Entries& a = A.entries();
  const Entries& b = B.entries();
  ColumnBuilder matrix(static_cast<Index>(a.rows()), static_cast<Index>(a.cols()),
                       a.nonZeros() + b.nonZeros());
  for (Index j = 0; j < a.cols(); ++j) {
    Entries::InnerIterator in_a(a, j);
    Entries::InnerIterator in_b(b, j);
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
