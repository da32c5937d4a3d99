// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <algorithm>
#include <cmath>

namespace halfdof::trilinos {

template <class Scalar>
DenseMatrix<Scalar> LinearCombination<Scalar>::residual(ConstView<Scalar> x, ConstView<Scalar> b) const {
  DenseMatrix<Scalar> r = b;
  for (const auto& [factor, A] : terms_)
    if (factor != Scalar(0)) A.add_product(-factor, x, r);
  return r;
}

template <class Scalar>
DenseMatrix<Scalar> LinearCombination<Scalar>::transposed_residual(ConstView<Scalar> x,
                                                                   ConstView<Scalar> b) const {
  DenseMatrix<Scalar> r = b;
  for (const auto& [factor, A] : terms_)
    if (factor != Scalar(0)) A.add_transposed_product(-factor, x, r);
  return r;
}

template <class Scalar>
MultiVector LinearCombination<Scalar>::bound_of_product(const MultiVector& x) const {
  MultiVector bound = MultiVector::Zero(rows().n_local(), x.cols());
  for (Eigen::Index c = 0; c < x.cols(); ++c)
    for (const auto& [factor, A] : terms_) {
      const Vector stored = at_stored_columns(A, x.col(c));
      const double magnitude = std::abs(factor);
      for_each_entry(A, [&, c](int row, int column, double value) {
        bound(row, c) += magnitude * std::abs(value) * stored[column];
      });
    }
  return bound;
}

template class LinearCombination<double>;
template class LinearCombination<Complex>;

Vector diagonal_of(const LinearCombination<double>& A) {
  Vector diagonal = Vector::Zero(A.rows().n_local());
  for (const auto& [factor, matrix] : A.terms()) {
    const Epetra_CrsMatrix& entries = matrix.entries();
    for_each_entry(matrix, [&, scale = factor](int row, int column, double value) {
      if (entries.GRID(row) == entries.GCID(column)) diagonal[row] += scale * value;
    });
  }
  return diagonal;
}

Vector diagonal_of(const TrilinosMatrix& A) {
  return diagonal_of(LinearCombination<double>({{1., A}}));
}

bool is_diagonal(const LinearCombination<double>& A) {
  bool has_other = false;
  for (const auto& [factor, matrix] : A.terms())
    if (factor != 0)
      for_each_entry(matrix, [&, &entries = matrix.entries()](int row, int column, double value) {
        has_other = has_other || (value != 0 && entries.GRID(row) != entries.GCID(column));
      });
  return !A.rows().communicator().any(has_other);
}

namespace {

/// A term of a linear combination, and the number of each of its stored columns in a submatrix; -1 for
/// columns that are not selected.
struct RenumberedTerm {
  double factor;
  TrilinosMatrix matrix;
  Vector new_column;
};

/// Renumbers the columns of all terms for the submatrix of the selected columns.
std::vector<RenumberedTerm> renumbered(const LinearCombination<double>& A, const Selection& columns) {
  Vector owned = Vector::Constant(A.columns().n_local(), -1);
  for (Index j = 0; j < columns.n_local(); ++j)
    owned[columns.local()[static_cast<std::size_t>(j)]] =
        static_cast<double>(columns.partition().global_index(j));
  std::vector<RenumberedTerm> terms;
  for (const auto& [factor, matrix] : A.terms())
    if (factor != 0) terms.push_back({factor, matrix, at_stored_columns(matrix, owned)});
  return terms;
}

/// Computes row `from` of a linear combination, and appends it to `result` as row `to` with ascending
/// columns.
/// @param row Workspace
void append_row(const std::vector<RenumberedTerm>& terms, Index from, Index to,
                std::vector<std::pair<int, double>>& row, OwnedRows& result) {
  row.clear();
  for (const RenumberedTerm& term : terms) {
    int n = 0;
    double* values = nullptr;
    int* columns = nullptr;
    term.matrix.entries().ExtractMyRowView(from, n, values, columns);
    for (int k = 0; k < n; ++k)
      if (const double column = term.new_column[columns[k]]; column >= 0 && values[k] != 0)
        row.emplace_back(static_cast<int>(column), term.factor * values[k]);
  }
  std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  result.startVec(to);
  for (std::size_t k = 0; k < row.size();) {
    double& sum = result.insertBack(to, row[k].first) = 0;
    for (const int column = row[k].first; k < row.size() && row[k].first == column; ++k)
      sum += row[k].second;
  }
}

}  // namespace

TrilinosMatrix block_of(const LinearCombination<double>& A, const Selection& rows, const Selection& columns) {
  const std::vector<RenumberedTerm> terms = renumbered(A, columns);
  if (terms.size() == 1 && terms.front().factor == 1)
    return TrilinosEngine::submatrix(terms.front().matrix, rows, columns);
  OwnedRows result(rows.n_local(), columns.n_global());
  Eigen::Index n_entries = 0;
  for (const RenumberedTerm& term : terms)
    n_entries = std::max<Eigen::Index>(n_entries, term.matrix.n_local_entries());
  result.reserve(n_entries);
  std::vector<std::pair<int, double>> row;
  for (Index i = 0; i < rows.n_local(); ++i)
    append_row(terms, rows.local()[static_cast<std::size_t>(i)], i, row, result);
  result.finalize();
  return TrilinosMatrix(result, rows.partition(), columns.partition());
}

}  // namespace halfdof::trilinos
