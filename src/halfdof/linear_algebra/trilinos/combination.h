// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <utility>
#include <vector>

namespace halfdof::trilinos {

/// A linear combination of matrices, A = sum_m factor_m A_m, whose terms are stored separately instead of the
/// sum. All functions are collective.
template <class Scalar>
class LinearCombination {
 public:
  using Terms = std::vector<std::pair<Scalar, TrilinosMatrix>>;

  explicit LinearCombination(Terms terms) : terms_(std::move(terms)) {}

  const Partition& rows() const { return terms_.front().second.rows(); }
  const Partition& columns() const { return terms_.front().second.columns(); }

  /// Returns the residual b - A x.
  DenseMatrix<Scalar> residual(ConstView<Scalar> x, ConstView<Scalar> b) const;
  /// Returns the residual b - A^T x of the transposed system.
  DenseMatrix<Scalar> transposed_residual(ConstView<Scalar> x, ConstView<Scalar> b) const;

  /// Returns the upper bound sum_m |factor_m| |A_m| x of |A| x, for a vector x without negative entries.
  MultiVector bound_of_product(const MultiVector& x) const;

  const Terms& terms() const { return terms_; }

 private:
  Terms terms_;
};

/// Returns the diagonal of A. Rows and columns of A must have the same owners in the same order.
Vector diagonal_of(const LinearCombination<double>& A);
Vector diagonal_of(const TrilinosMatrix& A);

/// Returns whether A is diagonal. Rows and columns of A must have the same owners in the same order.
/// Collective.
bool is_diagonal(const LinearCombination<double>& A);

/// Computes the submatrix of the selected rows and columns of A. If A has one term with the factor one, and
/// all rows and columns are selected, the result shares the entries. Collective.
TrilinosMatrix block_of(const LinearCombination<double>& A, const Selection& rows, const Selection& columns);

}  // namespace halfdof::trilinos
