// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/refinement.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns the residual b - A x.
template <class Scalar>
DenseMatrix<Scalar> residual(const SquarePattern& pattern, const std::vector<Scalar>& values,
                             const DenseMatrix<Scalar>& x, ConstView<Scalar> b) {
  DenseMatrix<Scalar> r = b;
  for (Eigen::Index c = 0; c < x.cols(); ++c)
    pattern.for_each_entry([&](Index i, Index j, std::size_t k) { r(i, c) -= values[k] * x(j, c); });
  return r;
}

/// Returns the residual b - A^T x of the transposed system.
template <class Scalar>
DenseMatrix<Scalar> transposed_residual(const SquarePattern& pattern, const std::vector<Scalar>& values,
                                        const DenseMatrix<Scalar>& x, ConstView<Scalar> b) {
  DenseMatrix<Scalar> r = b;
  for (Eigen::Index c = 0; c < x.cols(); ++c)
    pattern.for_each_entry([&](Index i, Index j, std::size_t k) { r(j, c) -= values[k] * x(i, c); });
  return r;
}

/// Returns the known solution of a trial solve: a vector with alternating signs and magnitudes between 1 and
/// 2, which is the same on every machine.
template <class Scalar>
DenseMatrix<Scalar> trial_solution(Index n) {
  DenseMatrix<Scalar> x(n, 1);
  for (Index i = 0; i < n; ++i)
    x(i, 0) = (i % 2 == 0 ? 1. : -1.) * (1. + std::fmod(0.6180339887498949 * (i + 1), 1.));
  return x;
}

/// Returns the componentwise backward error of a trial solve.
template <class Scalar>
double backward_error(const Factorization<Scalar>& factorization, const SquarePattern& pattern,
                      const std::vector<Scalar>& values) {
  const DenseMatrix<Scalar> zero = DenseMatrix<Scalar>::Zero(pattern.n, 1);
  const DenseMatrix<Scalar> b = -residual<Scalar>(pattern, values, trial_solution<Scalar>(pattern.n), zero);
  const DenseMatrix<Scalar> x = factorization.solve(b);
  const DenseMatrix<Scalar> r = residual<Scalar>(pattern, values, x, b);
  std::vector<double> magnitudes(values.size());
  std::transform(values.begin(), values.end(), magnitudes.begin(),
                 [](Scalar value) { return std::abs(value); });
  const MultiVector scale = -residual<double>(pattern, magnitudes, x.cwiseAbs(), -b.cwiseAbs());
  double largest = 0;
  for (Index i = 0; i < pattern.n; ++i)
    if (r(i, 0) != Scalar(0)) largest = std::max(largest, std::abs(r(i, 0)) / scale(i, 0));
  return largest;
}

/// A factorization whose solves include one step of iterative refinement.
template <class Scalar>
class RefinedFactorization : public ReportedFactorization<Scalar> {
 public:
  RefinedFactorization(ReportedFactorizationPtr<Scalar> inner, PatternPtr pattern, std::vector<Scalar> values)
      : inner_(std::move(inner)), pattern_(std::move(pattern)), values_(std::move(values)) {
    this->report() = inner_->report();
  }

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    DenseMatrix<Scalar> x = inner_->solve(b);
    x += inner_->solve(residual<Scalar>(*pattern_, values_, x, b));
    return x;
  }

  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override {
    DenseMatrix<Scalar> x = inner_->solve_transposed(b);
    x += inner_->solve_transposed(transposed_residual<Scalar>(*pattern_, values_, x, b));
    return x;
  }

  DenseMatrix<Scalar> rough_solve(ConstView<Scalar> b) const override { return inner_->solve(b); }
  DenseMatrix<Scalar> rough_solve_transposed(ConstView<Scalar> b) const override {
    return inner_->solve_transposed(b);
  }

  LogDeterminant<Scalar> log_determinant() const override { return inner_->log_determinant(); }
  std::optional<MatrixInertia> inertia() const override { return inner_->inertia(); }

 private:
  ReportedFactorizationPtr<Scalar> inner_;
  PatternPtr pattern_;
  std::vector<Scalar> values_;
};

}  // namespace

template <class Scalar>
ReportedFactorizationPtr<Scalar> with_refinement(ReportedFactorizationPtr<Scalar> factorization,
                                                 PatternPtr pattern, const std::vector<Scalar>& values) {
  if (backward_error(*factorization, *pattern, values) <= largest_backward_error) return factorization;
  return std::make_unique<RefinedFactorization<Scalar>>(std::move(factorization), std::move(pattern), values);
}

template ReportedFactorizationPtr<double> with_refinement(ReportedFactorizationPtr<double>, PatternPtr,
                                                          const std::vector<double>&);
template ReportedFactorizationPtr<Complex> with_refinement(ReportedFactorizationPtr<Complex>, PatternPtr,
                                                           const std::vector<Complex>&);

}  // namespace halfdof::internal
