// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/log_determinant.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <type_traits>
#include <utility>

namespace halfdof::trilinos {

using namespace internal;

namespace {

/// A diagonal matrix as a factorization, which solves by divisions.
template <class Scalar>
class DiagonalFactorization : public ReportedFactorization<Scalar> {
 public:
  using Diagonal = Eigen::Array<Scalar, Eigen::Dynamic, 1>;

  DiagonalFactorization(Diagonal diagonal, Partition rows)
      : diagonal_(std::move(diagonal)), rows_(std::move(rows)) {}

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    return (b.array().colwise() / diagonal_).matrix();
  }
  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override { return solve(b); }

  LogDeterminant<Scalar> log_determinant() const override {
    return product(rows_.communicator(), log_product(diagonal_));
  }
  std::optional<MatrixInertia> inertia() const override {
    if constexpr (std::is_same_v<Scalar, double>) {
      const MatrixInertia here = inertia_of(diagonal_);
      const Communicator& communicator = rows_.communicator();
      return MatrixInertia{communicator.count(here.n_positive), communicator.count(here.n_negative)};
    }
    return std::nullopt;
  }

 private:
  Diagonal diagonal_;
  Partition rows_;
};

/// A factorization of A that solves with a factorization of -A.
class NegatedFactorization : public ReportedFactorization<double> {
 public:
  explicit NegatedFactorization(ReportedFactorizationPtr<double> of_negative)
      : of_negative_(std::move(of_negative)) {
    report() = of_negative_->report();
    report().is_positive_definite = false;
  }
  MultiVector solve(ConstView<double> b) const override { return -of_negative_->solve(b); }
  MultiVector solve_transposed(ConstView<double> b) const override {
    return -of_negative_->solve_transposed(b);
  }
  MultiVector rough_solve(ConstView<double> b) const override { return -of_negative_->rough_solve(b); }
  MultiVector rough_solve_transposed(ConstView<double> b) const override {
    return -of_negative_->rough_solve_transposed(b);
  }
  LogDeterminant<double> log_determinant() const override {
    LogDeterminant<double> result = of_negative_->log_determinant();
    if (report().n_rows % 2 != 0) result.phase = -result.phase;
    return result;
  }
  std::optional<MatrixInertia> inertia() const override {
    const std::optional<MatrixInertia> of_negative = of_negative_->inertia();
    if (!of_negative) return std::nullopt;
    return MatrixInertia{of_negative->n_negative, of_negative->n_positive};
  }

 private:
  ReportedFactorizationPtr<double> of_negative_;
};

}  // namespace

template <class Scalar>
LogDeterminant<Scalar> product(const Communicator& communicator, const LogDeterminant<Scalar>& here) {
  double sums[] = {here.log_modulus, std::arg(here.phase)};
  communicator.sum(sums, 2);
  const Complex phase = std::polar(1., sums[1]);
  if constexpr (std::is_same_v<Scalar, double>)
    return {sums[0], phase.real() < 0 ? -1. : 1.};
  else
    return {sums[0], phase};
}

template LogDeterminant<double> product(const Communicator&, const LogDeterminant<double>&);
template LogDeterminant<Complex> product(const Communicator&, const LogDeterminant<Complex>&);

bool is_diagonal(const Pattern& pattern) {
  const bool here = pattern.entry_rows == pattern.entry_columns;
  const bool everywhere = !pattern.rows.communicator().any(!here);
  return everywhere && same_layout(pattern.rows, pattern.columns);
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const Pattern& pattern,
                                                    const std::vector<Scalar>& values) {
  DenseMatrix<Scalar> diagonal = DenseMatrix<Scalar>::Zero(pattern.rows.n_local(), 1);
  for (std::size_t k = 0; k < values.size(); ++k)
    diagonal(pattern.rows.local_index(pattern.entry_rows[k] - 1), 0) = values[k];
  return factorize_diagonal<Scalar>(pattern.rows, diagonal);
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const Partition& rows,
                                                    const DenseMatrix<Scalar>& diagonal) {
  const Communicator& communicator = rows.communicator();
  double last_zero = -1;
  for (Index i = 0; i < diagonal.size(); ++i)
    if (diagonal(i, 0) == Scalar(0)) last_zero = static_cast<double>(rows.global_index(i));
  last_zero = communicator.max(last_zero);
  if (last_zero >= 0)
    throw SingularMatrix("The " + std::to_string(rows.n_global()) + " x " + std::to_string(rows.n_global()) +
                         " matrix is diagonal and singular, because its entry in row " +
                         std::to_string(static_cast<GlobalIndex>(last_zero)) +
                         " is zero. Enter a nonzero coefficient or remove this DoF.");

  FactorizationReport report;
  report.solver = Solver::diagonal;
  report.reason = "diagonal";
  report.n_factor_entries = rows.n_global();
  report.bytes = static_cast<double>(rows.n_global()) * sizeof(Scalar);
  report.largest_share =
      rows.n_global() > 0 ? communicator.max(rows.n_local()) / static_cast<double>(rows.n_global()) : 1.;
  if constexpr (std::is_same_v<Scalar, double>)
    report.is_positive_definite = !communicator.any((diagonal.array() <= 0.).any());
  auto factorization = std::make_unique<DiagonalFactorization<Scalar>>(diagonal.array(), rows);
  factorization->report() = std::move(report);
  return factorization;
}

template ReportedFactorizationPtr<double> factorize_diagonal(const Pattern&, const std::vector<double>&);
template ReportedFactorizationPtr<Complex> factorize_diagonal(const Pattern&, const std::vector<Complex>&);

ReportedFactorizationPtr<double> negated(ReportedFactorizationPtr<double> of_negative) {
  return std::make_unique<NegatedFactorization>(std::move(of_negative));
}

}  // namespace halfdof::trilinos
