// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <utility>
#include <vector>

namespace halfdof::trilinos {

/// A linear combination of matrices, A = sum_m factor_m A_m, that is not formed. All functions are
/// collective.
template <class Scalar>
class Combination {
 public:
  using Terms = std::vector<std::pair<Scalar, TrilinosMatrix>>;

  explicit Combination(Terms terms) : terms_(std::move(terms)) {}

  const Partition& rows() const { return terms_.front().second.rows(); }
  const Partition& columns() const { return terms_.front().second.columns(); }

  /// Returns b - A x.
  DenseMatrix<Scalar> residual(ConstView<Scalar> x, ConstView<Scalar> b) const;
  /// Returns b - A^T x.
  DenseMatrix<Scalar> transposed_residual(ConstView<Scalar> x, ConstView<Scalar> b) const;

  /// Returns sum_m |factor_m| |A_m| x, which is an upper bound of |A| x, for x >= 0.
  MultiVector bound_of_product(const MultiVector& x) const;

  const Terms& terms() const { return terms_; }

 private:
  Terms terms_;
};

/// Returns the diagonal of A, whose rows and columns have the same owners in the same order.
Vector diagonal_of(const Combination<double>& A);
Vector diagonal_of(const TrilinosMatrix& A);

/// Returns whether no process has an entry off the diagonal. Rows and columns have the same owners in the
/// same order. Collective.
bool is_diagonal(const Combination<double>& A);

/// Forms J_r^T A J_c. If A is a single matrix with factor one and all of it is selected, the entries are
/// shared. Collective.
TrilinosMatrix block_of(const Combination<double>& A, const Selection& rows, const Selection& columns);

}  // namespace halfdof::trilinos
