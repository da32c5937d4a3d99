// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/diagonal_solver.h>
#include <halfdof/linear_algebra/log_determinant.h>

#include <type_traits>
#include <utility>

namespace halfdof::internal {

namespace {

/// A diagonal matrix as a factorization, which solves by divisions.
template <class Scalar>
class DiagonalFactorization : public ReportedFactorization<Scalar> {
 public:
  using Diagonal = Eigen::Array<Scalar, Eigen::Dynamic, 1>;

  explicit DiagonalFactorization(Diagonal diagonal) : diagonal_(std::move(diagonal)) {}

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    return (b.array().colwise() / diagonal_).matrix();
  }

  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override { return solve(b); }

  LogDeterminant<Scalar> log_determinant() const override { return log_product(diagonal_); }
  std::optional<MatrixInertia> inertia() const override {
    if constexpr (std::is_same_v<Scalar, double>) return inertia_of(diagonal_);
    return std::nullopt;
  }

 private:
  Diagonal diagonal_;
};

}  // namespace

bool is_diagonal(const SquarePattern& pattern) {
  if (pattern.n_entries() > pattern.n) return false;
  bool diagonal = true;
  pattern.for_each_entry([&](Index i, Index j, std::size_t) { diagonal = diagonal && i == j; });
  return diagonal;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const SquarePattern& pattern,
                                                    const std::vector<Scalar>& values) {
  using Diagonal = typename DiagonalFactorization<Scalar>::Diagonal;
  Diagonal diagonal = Diagonal::Zero(pattern.n);
  pattern.for_each_entry([&](Index i, Index, std::size_t k) { diagonal[i] = values[k]; });
  for (Index i = 0; i < pattern.n; ++i)
    if (diagonal[i] == Scalar(0))
      throw SingularMatrix(describe(pattern) + " is diagonal and singular, because its entry in row " +
                           std::to_string(i) + " is zero. Enter a nonzero coefficient or remove this DoF.");
  [[maybe_unused]] const bool is_positive = (diagonal.real() > 0.).all();
  auto factorization = std::make_unique<DiagonalFactorization<Scalar>>(std::move(diagonal));
  factorization->report().solver = Solver::diagonal;
  factorization->report().reason = "diagonal";
  if constexpr (std::is_same_v<Scalar, double>) factorization->report().is_positive_definite = is_positive;
  factorization->report().n_factor_entries = pattern.n;
  factorization->report().bytes = static_cast<double>(pattern.n) * sizeof(Scalar);
  return factorization;
}

template ReportedFactorizationPtr<double> factorize_diagonal(const SquarePattern&,
                                                             const std::vector<double>&);
template ReportedFactorizationPtr<Complex> factorize_diagonal(const SquarePattern&,
                                                              const std::vector<Complex>&);

}  // namespace halfdof::internal
