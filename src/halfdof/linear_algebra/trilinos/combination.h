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

 private:
  Terms terms_;
};

}  // namespace halfdof::trilinos
