// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>
#include <halfdof/reduction/constraints/constraint_levels.h>

#include <Eigen/SparseLU>

#include <algorithm>
#include <utility>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse columns_of(const Sparse& A, const std::vector<Index>& columns) {
  return A * unit_columns(columns, static_cast<Index>(A.cols()));
}

/// Constraint rows in the present coordinates, and the combinations of the given rows from which they
/// result.
struct ScaledRows {
  Sparse A_1, A_2;
  TimeCombination b;
  Sparse origin;

  Index size() const { return static_cast<Index>(A_2.rows()); }
  /// Multiplies all parts by Y^T.
  ScaledRows combined(const Sparse& Y) const {
    const Sparse Y_T = Y.transpose();
    return {product_with_exact_zeros(Y_T, A_1), product_with_exact_zeros(Y_T, A_2), Y_T * b,
            product_with_exact_zeros(Y_T, origin)};
  }
};

/// Scales each constraint row to norm one.
ScaledRows scaled(ConstraintRows rows) {
  const auto m = static_cast<Index>(rows.A_2.rows());
  const Vector inverse_sizes = row_sizes(rows).cwiseInverse();
  Sparse scale(m, m);
  for (Index i = 0; i < m; ++i)
    scale.insert(i, i) = inverse_sizes[i];
  Sparse one(m, m);
  one.setIdentity();
  return {scale * rows.A_1, scale * rows.A_2, scale * rows.b, one};
}

/// Computes the kernel of a matrix whose entries are of order one.
ColumnCompression kernel_of(const Sparse& A, const std::string& name, const KernelOptions& options) {
  Vector sizes(A.cols());
  for (Index j = 0; j < sizes.size(); ++j)
    sizes[j] = Sparse(A.col(j)).nonZeros() > 0 ? 1 : 0;
  return column_compression(A, sizes, name, EntryOrigin::computed, options);
}

/// Computes x = A^{-1} b for a square matrix A with its LU factorization.
TimeCombination solve(const Sparse& A, const TimeCombination& b, const Eigen::SparseLU<Sparse>& lu) {
  TimeCombination x;
  for (const Sparse& term : b.terms)
    x.terms.push_back(term.nonZeros() > 0 ? Sparse(lu.solve(term)) : Sparse(A.cols(), term.cols()));
  return x;
}

/// The coordinates that remain free and the coordinates that depend on them, according to independent rows.
struct Split {
  ColumnCompression basis;
  Sparse A_dependent;  ///< the square matrix of the rows on the dependent coordinates
};

Split split_coordinates(const Sparse& rows, const std::string& name, const KernelOptions& options) {
  Split split{kernel_of(rows, name, options), {}};
  split.A_dependent = product_with_exact_zeros(rows, columns_of(split.basis.S, split.basis.others()));
  if (split.A_dependent.rows() == split.A_dependent.cols()) return split;
  throw AmbiguousRank(
      "The rank of " + name + " is " + std::to_string(split.A_dependent.rows()) + " by its rows and " +
          std::to_string(split.A_dependent.cols()) +
          " by its columns: some coefficients are neither zero nor comparable to the others. Set "
          "coefficients to zero that should be zero.",
      {name, static_cast<Index>(rows.rows()), static_cast<Index>(rows.cols()), 0, 0, 1});
}

void factorize(Eigen::SparseLU<Sparse>& lu, const Sparse& A, const std::string& name) {
  lu.compute(A);
  if (lu.info() != Eigen::Success)
    throw SingularMatrix(name +
                         " cannot be factorized, because the constraints are nearly dependent. Set "
                         "coefficients to zero that should be zero, or remove a constraint.");
}

/// Returns a matrix with the rows of `above`, followed by those of `below`.
Sparse stacked(const Sparse& above, const Sparse& below) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](const Sparse& A, Index first) {
    for (Index j = 0; j < A.outerSize(); ++j)
      for (Sparse::InnerIterator entry(A, j); entry; ++entry)
        entries.emplace_back(first + static_cast<Index>(entry.row()), j, entry.value());
  };
  add(above, 0);
  add(below, static_cast<Index>(above.rows()));
  Sparse result(above.rows() + below.rows(), below.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// Resolves the constraints step by step: constraints on displacements first, and constraints on rates last.
class ConstraintResolver {
 public:
  ConstraintResolver(ConstraintRows rows, const Sparse& T_0, std::vector<Index> places,
                     const KernelOptions& options)
      : options_(options), rows_(scaled(std::move(rows))), sizes_(column_norms(rows_.A_2.transpose())) {
    levels_.T = T_0;
    levels_.places = std::move(places);
    levels_.redundant = levels_.independent = Sparse(0, rows_.size());
    rows_.A_1 = product_with_exact_zeros(rows_.A_1, T_0);
    rows_.A_2 = product_with_exact_zeros(rows_.A_2, T_0);
  }

  ConstraintLevels resolve() {
    for (bool is_first = true;; is_first = false) {
      const ScaledRows position = extract_position_rows();
      if (position.size() == 0) break;
      const ScaledRows independent = without_redundant(position);
      levels_.n_position += independent.size();
      if (!is_first) levels_.n_hidden += independent.size();
      levels_.independent = stacked(levels_.independent, independent.origin);
      if (independent.size() > 0) eliminate(independent);
    }
    levels_.independent = stacked(levels_.independent, rows_.origin);
    solve_for_constrained_rates();
    return std::move(levels_);
  }

 private:
  /// Extracts the combinations of rows without rates, scaled by the sizes of their displacement terms. The
  /// other combinations remain in rows_.
  ScaledRows extract_position_rows() {
    const ColumnCompression left = kernel_of(rows_.A_1.transpose(), "A_1 of the constraints", options_);
    const ScaledRows position = rows_.combined(columns_of(left.S, left.null()));
    rows_ = rows_.combined(columns_of(left.S, left.others()));
    const Vector sizes = Sparse(position.origin.cwiseAbs()) * sizes_;
    Sparse scale(position.size(), position.size());
    for (Index i = 0; i < position.size(); ++i)
      scale.insert(i, i) = sizes[i] > 0 ? 1 / sizes[i] : 1.;
    return position.combined(scale);
  }

  /// Returns the independent rows on displacements, and appends the redundant rows to levels_.
  ScaledRows without_redundant(const ScaledRows& position) {
    const ColumnCompression left = kernel_of(position.A_2.transpose(), "A_2 of the constraints", options_);
    const ScaledRows redundant = position.combined(columns_of(left.S, left.null()));
    if (redundant.size() > 0) append_redundant(redundant);
    return position.combined(columns_of(left.S, left.others()));
  }

  void append_redundant(const ScaledRows& redundant) {
    const Index n_before = static_cast<Index>(levels_.redundant.rows());
    levels_.redundant = stacked(levels_.redundant, redundant.origin);
    TimeCombination all;
    const std::vector<Sparse>&above = levels_.contradiction.terms, &below = redundant.b.terms;
    for (std::size_t k = 0; k < std::max(above.size(), below.size()); ++k) {
      const Index n_columns = static_cast<Index>(k < above.size() ? above[k].cols() : below[k].cols());
      all.terms.push_back(stacked(k < above.size() ? above[k] : Sparse(n_before, n_columns),
                                  k < below.size() ? below[k] : Sparse(redundant.size(), n_columns)));
    }
    levels_.contradiction = std::move(all);
  }

  /// Eliminates dependent coordinates by constraints on displacements: q~ = S_0 (remaining coordinates) +
  /// S_1 (A_2 S_1)^{-1} b.
  void eliminate(const ScaledRows& position) {
    const Split split = split_coordinates(position.A_2, "A_2 of the constraints", options_);
    const std::vector<Index> left = split.basis.null();
    const Sparse S_0 = columns_of(split.basis.S, left), S_1 = columns_of(split.basis.S, split.basis.others());
    if (!position.b.is_zero()) {
      Eigen::SparseLU<Sparse> lu;
      factorize(lu, split.A_dependent, "The matrix A_2 of independent constraints");
      const TimeCombination o = S_1 * solve(split.A_dependent, position.b, lu);
      rows_.b = rows_.b - (rows_.A_1 * o.derivative() + rows_.A_2 * o);
      levels_.offset = levels_.offset + levels_.T * o;
    }
    change_coordinates(S_0);
    std::vector<Index> places;
    for (const Index j : left)
      places.push_back(levels_.places[static_cast<std::size_t>(j)]);
    levels_.places = std::move(places);
  }

  /// Changes the coordinates of T and of the remaining rows by the matrix S.
  void change_coordinates(const Sparse& S) {
    levels_.T = product_with_exact_zeros(levels_.T, S);
    rows_.A_1 = product_with_exact_zeros(rows_.A_1, S);
    rows_.A_2 = product_with_exact_zeros(rows_.A_2, S);
  }

  /// Solves the remaining rows, which are constraints on rates, for as many rates q_b' as there are rows.
  void solve_for_constrained_rates() {
    const Index n = static_cast<Index>(levels_.T.cols());
    levels_.R = Sparse(0, n);
    if (rows_.size() == 0) return;
    const Split split = split_coordinates(rows_.A_1, "A_1 of the constraints", options_);
    change_coordinates(split.basis.S);
    levels_.bound = split.basis.others();
    Eigen::SparseLU<Sparse> lu;
    factorize(lu, split.A_dependent, "The matrix A_1 of independent constraints");
    levels_.R = rows_.A_2.nonZeros() > 0 ? Sparse(lu.solve(rows_.A_2)) : Sparse(rows_.size(), n);
    levels_.r = solve(split.A_dependent, rows_.b, lu);
  }

  KernelOptions options_;
  ScaledRows rows_;  ///< rows that are not resolved yet, in the coordinates T
  Vector sizes_;     ///< norms of the rows of the given A_2
  ConstraintLevels levels_;
};

}  // namespace

Vector row_sizes(const ConstraintRows& rows) {
  const Vector of_rates = column_norms(rows.A_1.transpose()),
               of_displacements = column_norms(rows.A_2.transpose());
  const Vector sizes = (of_rates.array() > 0).select(of_rates, of_displacements);
  return (sizes.array() > 0).select(sizes, 1.);
}

ConstraintLevels constraint_levels(ConstraintRows rows, const Sparse& T_0, std::vector<Index> places,
                                   const KernelOptions& options) {
  return ConstraintResolver(std::move(rows), T_0, std::move(places), options).resolve();
}

}  // namespace halfdof::internal
