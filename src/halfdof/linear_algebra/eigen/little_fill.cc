// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/eigen/little_fill.h>
#include <halfdof/linear_algebra/log_determinant.h>

#include <algorithm>
#include <utility>

namespace halfdof::internal {

namespace {

/// The factorization A = P^T L D L^T P whose solves process the entries of L one by one.
class LittleFillFactorization : public ReportedFactorization<double> {
 public:
  LittleFillFactorization(std::vector<Index> order, UnitLowerTriangle L, const Vector& D)
      : order_(std::move(order)), L_(std::move(L)), inverse_D_(D.cwiseInverse()), work_(D.size()) {}

  MultiVector solve(ConstView<double> b) const override { return backward(forward(b)); }
  MultiVector solve_transposed(ConstView<double> b) const override { return solve(b); }

  MultiVector forward(ConstView<double> b) const override {
    MultiVector z = b;
    forward_in_place(z);
    return z;
  }

  MultiVector backward(ConstView<double> z) const override {
    MultiVector x = z;
    backward_in_place(x);
    return x;
  }

  void forward_in_place(MultiVector& b) const override {
    const StageTimer stage("solve");
    for (Eigen::Index c = 0; c < b.cols(); ++c) {
      double* const column = b.data() + c * b.rows();
      for (std::size_t k = 0; k < order_.size(); ++k)
        work_[static_cast<Index>(k)] = column[order_[k]];
      solve_lower(work_.data());
      std::copy_n(work_.data(), work_.size(), column);
    }
  }

  void backward_in_place(MultiVector& z) const override {
    const StageTimer stage("solve");
    for (Eigen::Index c = 0; c < z.cols(); ++c) {
      double* const column = z.data() + c * z.rows();
      solve_upper(column);
      for (std::size_t k = 0; k < order_.size(); ++k)
        column[order_[k]] = work_[static_cast<Index>(k)];
    }
  }

  MultiVector transposed_backward(ConstView<double> h) const override {
    return inverse_D_.asDiagonal() * forward(h);
  }

  LogDeterminant<double> log_determinant() const override {
    const LogDeterminant<double> of_inverse = log_product(inverse_D_);
    return {-of_inverse.log_modulus, of_inverse.phase};
  }
  std::optional<MatrixInertia> inertia() const override { return inertia_of(inverse_D_); }

 private:
  /// Replaces x by L^{-1} x.
  void solve_lower(double* x) const {
    const auto n = static_cast<Index>(order_.size());
    const std::int64_t* const starts = L_.starts.data();
    const Index* const rows = L_.rows.data();
    const double* const values = L_.values.data();
    for (Index j = 0; j < n; ++j) {
      const double x_j = x[j];
      for (std::int64_t k = starts[j]; k < starts[j + 1]; ++k)
        x[rows[k]] -= values[k] * x_j;
    }
  }

  /// Computes the vector L^{-T} D^{-1} z in work_.
  void solve_upper(const double* z) const {
    const std::int64_t* const starts = L_.starts.data();
    const Index* const rows = L_.rows.data();
    const double* const values = L_.values.data();
    double* const y = work_.data();
    for (auto j = static_cast<Index>(order_.size()) - 1; j >= 0; --j) {
      double y_j = z[j] * inverse_D_[j];
      for (std::int64_t k = starts[j]; k < starts[j + 1]; ++k)
        y_j -= values[k] * y[rows[k]];
      y[j] = y_j;
    }
  }

  std::vector<Index> order_;
  UnitLowerTriangle L_;
  Vector inverse_D_;
  mutable Vector work_;  ///< workspace: one right-hand side or solution in the order of elimination
};

}  // namespace

ReportedFactorizationPtr<double> factorization_of_little_fill(std::vector<Index> order, UnitLowerTriangle L,
                                                              const Vector& D) {
  return std::make_unique<LittleFillFactorization>(std::move(order), std::move(L), D);
}

}  // namespace halfdof::internal
