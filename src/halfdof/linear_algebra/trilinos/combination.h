#pragma once

#include <halfdof/linear_algebra/trilinos/engine.h>

#include <utility>
#include <vector>

namespace halfdof::trilinos {

/// A sum of matrices with factors, never formed: A = sum_m factor_m A_m. All functions are collective.
template <class Scalar>
class Combination {
 public:
  using Terms = std::vector<std::pair<Scalar, TrilinosMatrix>>;

  explicit Combination(Terms terms) : terms_(std::move(terms)) {}

  const Partition& rows() const { return terms_.front().second.rows(); }
  const Partition& columns() const { return terms_.front().second.columns(); }

  /// b - A x.
  DenseMatrix<Scalar> residual(ConstView<Scalar> x, ConstView<Scalar> b) const;
  /// b - A^T x.
  DenseMatrix<Scalar> transposed_residual(ConstView<Scalar> x, ConstView<Scalar> b) const;

  /// sum_m |factor_m| |A_m| x for x >= 0, a bound of |A| x.
  MultiVector bound_of_product(const MultiVector& x) const;

  const Terms& terms() const { return terms_; }

 private:
  Terms terms_;
};

/// The diagonal of A; rows and columns have the same owners in the same order.
Vector diagonal_of(const Combination<double>& A);
Vector diagonal_of(const TrilinosMatrix& A);

/// Whether no process has an entry off the diagonal. Rows and columns as above. Collective.
bool is_diagonal(const Combination<double>& A);

/// J_r^T A J_c, formed; where A is a single matrix and all of it is asked for, its entries are shared.
/// Collective.
TrilinosMatrix block_of(const Combination<double>& A, const Selection& rows, const Selection& columns);

}  // namespace halfdof::trilinos
