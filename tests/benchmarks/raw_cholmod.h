// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>

#include <cholmod.h>

namespace halfdof::benchmark {

/// A symmetric matrix in CHOLMOD's own form, factorized and solved with CHOLMOD's own calls.
class RawCholmod {
 public:
  /// @param supernodal CHOLMOD_AUTO: L L^T of a definite matrix, by dense blocks where they save time;
  ///   CHOLMOD_SUPERNODAL: the same, by dense blocks; CHOLMOD_SIMPLICIAL: L D L^T, entry by entry
  /// @param A Compressed; its arrays have to exist as long as this object
  template <class Matrix>
  explicit RawCholmod(const Matrix& A, int supernodal = CHOLMOD_AUTO) {
    cholmod_start(&common_);
    common_.print = 0;
    common_.supernodal = supernodal;
    matrix_.nrow = matrix_.ncol = static_cast<std::size_t>(A.rows());
    matrix_.nzmax = static_cast<std::size_t>(A.nonZeros());
    matrix_.p = const_cast<Index*>(A.outerIndexPtr());
    matrix_.i = const_cast<Index*>(A.innerIndexPtr());
    matrix_.x = const_cast<double*>(A.valuePtr());
    matrix_.stype = -1;
    matrix_.itype = CHOLMOD_INT;
    matrix_.xtype = CHOLMOD_REAL;
    matrix_.sorted = matrix_.packed = 1;
  }
  RawCholmod(const RawCholmod&) = delete;
  RawCholmod& operator=(const RawCholmod&) = delete;
  ~RawCholmod() {
    for (cholmod_dense** dense : {&x_, &y_, &e_})
      cholmod_free_dense(dense, &common_);
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }

  /// Analysis and numbers. @return Whether there is a factorization
  bool factorize() {
    cholmod_free_factor(&factor_, &common_);
    factor_ = cholmod_analyze(&matrix_, &common_);
    cholmod_factorize(&matrix_, factor_, &common_);
    return common_.status == CHOLMOD_OK;
  }
  /// Numbers alone, after factorize().
  void refactorize() { cholmod_factorize(&matrix_, factor_, &common_); }

  /// Solves in workspaces that are kept from one call to the next.
  MultiVector solve(const MultiVector& b) {
    cholmod_dense right{};
    right.nrow = right.d = static_cast<std::size_t>(b.rows());
    right.ncol = static_cast<std::size_t>(b.cols());
    right.nzmax = right.nrow * right.ncol;
    right.x = const_cast<double*>(b.data());
    right.xtype = CHOLMOD_REAL;
    cholmod_solve2(CHOLMOD_A, factor_, &right, nullptr, &x_, nullptr, &y_, &e_, &common_);
    return Eigen::Map<const MultiVector>(static_cast<const double*>(x_->x), b.rows(), b.cols());
  }

 private:
  cholmod_common common_{};
  cholmod_sparse matrix_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *x_ = nullptr, *y_ = nullptr, *e_ = nullptr;
};

}  // namespace halfdof::benchmark
