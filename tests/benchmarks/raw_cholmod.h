#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>

#include <cholmod.h>

namespace halfdof::benchmark {

/// A symmetric matrix in CHOLMOD's own form, factorized and solved with CHOLMOD's own calls.
class RawCholmod {
 public:
  explicit RawCholmod(const EigenMatrix::Storage& A) {
    cholmod_start(&common_);
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
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }

  /// Analysis and numbers.
  void factorize() {
    cholmod_free_factor(&factor_, &common_);
    factor_ = cholmod_analyze(&matrix_, &common_);
    cholmod_factorize(&matrix_, factor_, &common_);
  }
  /// Numbers alone, after factorize().
  void refactorize() { cholmod_factorize(&matrix_, factor_, &common_); }

  void solve(MultiVector& b) {
    cholmod_dense right{};
    right.nrow = right.d = static_cast<std::size_t>(b.rows());
    right.ncol = static_cast<std::size_t>(b.cols());
    right.nzmax = right.nrow * right.ncol;
    right.x = b.data();
    right.xtype = CHOLMOD_REAL;
    cholmod_dense* x = cholmod_solve(CHOLMOD_A, factor_, &right, &common_);
    cholmod_free_dense(&x, &common_);
  }

 private:
  cholmod_common common_{};
  cholmod_sparse matrix_{};
  cholmod_factor* factor_ = nullptr;
};

}  // namespace halfdof::benchmark
