// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/eigen/cholmod_factorization.h>
#include <halfdof/linear_algebra/log_determinant.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns a view of a dense matrix in CHOLMOD's type, which has no const pointers.
cholmod_dense dense_columns(const double* first, Eigen::Index n_rows, Eigen::Index n_columns,
                            Eigen::Index stride) {
  cholmod_dense columns{};
  columns.nrow = static_cast<std::size_t>(n_rows);
  columns.ncol = static_cast<std::size_t>(n_columns);
  columns.d = static_cast<std::size_t>(stride);
  columns.nzmax = columns.d * columns.ncol;
  columns.x = const_cast<double*>(first);
  columns.xtype = CHOLMOD_REAL;
  columns.dtype = CHOLMOD_DOUBLE;
  return columns;
}

/// Returns the pivots of a factor: the diagonal of D in L D L^T, or the squares of the diagonal of L in L
/// L^T.
Vector pivots_of(const cholmod_factor& factor) {
  const auto* x = static_cast<const double*>(factor.x);
  Vector d(static_cast<Eigen::Index>(factor.n));
  if (!factor.is_super) {
    const auto* starts = static_cast<const std::int64_t*>(factor.p);
    for (Eigen::Index j = 0; j < d.size(); ++j)
      d[j] = factor.is_ll ? x[starts[j]] * x[starts[j]] : x[starts[j]];
    return d;
  }
  const auto* super = static_cast<const std::int64_t*>(factor.super);
  const auto* row_starts = static_cast<const std::int64_t*>(factor.pi);
  const auto* value_starts = static_cast<const std::int64_t*>(factor.px);
  for (std::size_t s = 0; s < factor.nsuper; ++s)
    for (std::int64_t j = super[s]; j < super[s + 1]; ++j) {
      const double l = x[value_starts[s] + (j - super[s]) * (row_starts[s + 1] - row_starts[s] + 1)];
      d[j] = l * l;
    }
  return d;
}

/// A factorization sign A = P^T L D L^T P, or sign A = P^T L L^T P, by CHOLMOD. `sign` is 1 or -1.
class CholmodFactorization : public ReportedFactorization<double> {
 public:
  CholmodFactorization(CholmodFactor factor, double sign)
      : factor_(std::move(factor)), sign_(sign), row_of_place_(factor_->n), place_of_row_(factor_->n) {
    const auto* permutation = static_cast<const std::int64_t*>(factor_->Perm);
    for (std::size_t k = 0; k < factor_->n; ++k) {
      row_of_place_[k] = static_cast<Index>(permutation[k]);
      place_of_row_[static_cast<std::size_t>(permutation[k])] = static_cast<Index>(k);
    }
  }

  CholmodFactorization(const CholmodFactorization&) = delete;
  CholmodFactorization& operator=(const CholmodFactorization&) = delete;

  ~CholmodFactorization() override {
    cholmod_l_free_dense(&y_, common_);
    cholmod_l_free_dense(&e_, common_);
  }

  MultiVector solve(ConstView<double> b) const override { return signed_solution(CHOLMOD_A, b); }
  MultiVector solve_transposed(ConstView<double> b) const override { return solve(b); }

  MultiVector forward(ConstView<double> b) const override {
    return solution(CHOLMOD_L, permuted_rows(b, row_of_place_));
  }
  MultiVector backward(ConstView<double> z) const override {
    return permuted_rows(signed_solution(CHOLMOD_DLt, z), place_of_row_);
  }
  MultiVector transposed_backward(ConstView<double> h) const override {
    return signed_solution(CHOLMOD_LD, permuted_rows(h, row_of_place_));
  }

  LogDeterminant<double> log_determinant() const override { return log_product(pivots()); }
  std::optional<MatrixInertia> inertia() const override { return inertia_of(pivots()); }

 private:
  /// Largest number of right-hand sides in one call of CHOLMOD. More right-hand sides would need more memory
  /// without saving time.
  static constexpr Eigen::Index max_columns = 32;

  Vector pivots() const { return sign_ * pivots_of(*factor_); }

  /// Returns b with permuted rows: row k of the result is row from[k] of b.
  static MultiVector permuted_rows(ConstView<double> b, const std::vector<Index>& from) {
    MultiVector result(b.rows(), b.cols());
    for (Eigen::Index c = 0; c < b.cols(); ++c) {
      const double* column = b.data() + c * b.outerStride();
      std::transform(from.begin(), from.end(), result.data() + c * b.rows(),
                     [column](Index row) { return column[row]; });
    }
    return result;
  }

  /// Solves with the factors that the constant `system` of CHOLMOD selects: CHOLMOD_A, CHOLMOD_L, ...
  MultiVector solution(int system, ConstView<double> b) const {
    const StageTimer stage("solve");
    MultiVector x(b.rows(), b.cols());
    for (Eigen::Index first = 0; first < b.cols(); first += max_columns) {
      const Eigen::Index n_columns = std::min(max_columns, b.cols() - first);
      cholmod_dense right =
          dense_columns(b.data() + first * b.outerStride(), b.rows(), n_columns, b.outerStride());
      // CHOLMOD writes into the given result without an allocation, because the result has the required size.
      cholmod_dense left = dense_columns(x.data() + first * x.rows(), x.rows(), n_columns, x.rows());
      cholmod_dense* into = &left;
      if (!cholmod_l_solve2(system, factor_.get(), &right, nullptr, &into, nullptr, &y_, &e_, common_))
        throw NotAvailable("The memory does not suffice to solve a linear system of " +
                           std::to_string(b.rows()) + " unknowns for " + std::to_string(n_columns) +
                           " right-hand sides at once. Free memory or reduce the model.");
    }
    return x;
  }

  MultiVector signed_solution(int system, ConstView<double> b) const {
    MultiVector x = solution(system, b);
    if (sign_ < 0) x = -x;
    return x;
  }

  CholmodFactor factor_;
  double sign_;
  std::vector<Index> row_of_place_, place_of_row_;  ///< P and its inverse
  mutable CholmodCommon common_;
  mutable cholmod_dense *y_ = nullptr,
                        *e_ = nullptr;  ///< workspaces that CHOLMOD uses again in the next solve
};

}  // namespace

ReportedFactorizationPtr<double> cholmod_factorization(CholmodFactor factor, double sign) {
  return std::make_unique<CholmodFactorization>(std::move(factor), sign);
}

}  // namespace halfdof::internal
