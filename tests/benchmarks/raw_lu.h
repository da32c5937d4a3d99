// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>

#include <klu.h>
#include <umfpack.h>

namespace halfdof::benchmark {

/// A matrix factorized and solved with KLU's own calls, as it sets itself up.
class RawKlu {
 public:
  /// @param A Compressed; its arrays have to exist as long as this object
  template <class Matrix>
  explicit RawKlu(const Matrix& A)
      : A_(A.rows(), A.cols(), A.nonZeros(), A.outerIndexPtr(), A.innerIndexPtr(), A.valuePtr()) {
    klu_defaults(&common_);
  }
  RawKlu(const RawKlu&) = delete;
  RawKlu& operator=(const RawKlu&) = delete;
  ~RawKlu() {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }

  /// Once.
  void factorize() {
    Index* const starts = const_cast<Index*>(A_.outerIndexPtr());
    Index* const rows = const_cast<Index*>(A_.innerIndexPtr());
    symbolic_ = klu_analyze(static_cast<int>(A_.cols()), starts, rows, &common_);
    numeric_ = klu_factor(starts, rows, const_cast<double*>(A_.valuePtr()), symbolic_, &common_);
  }

  Vector solve(Vector b) {
    klu_solve(symbolic_, numeric_, static_cast<int>(b.size()), 1, b.data(), &common_);
    return b;
  }

  double bytes() const { return static_cast<double>(common_.memusage); }

 private:
  EigenMatrix::Entries A_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

/// The same with UMFPACK's.
class RawUmfpack {
 public:
  /// @param A Compressed; its arrays have to exist as long as this object
  template <class Matrix>
  explicit RawUmfpack(const Matrix& A)
      : A_(A.rows(), A.cols(), A.nonZeros(), A.outerIndexPtr(), A.innerIndexPtr(), A.valuePtr()) {}
  RawUmfpack(const RawUmfpack&) = delete;
  RawUmfpack& operator=(const RawUmfpack&) = delete;
  ~RawUmfpack() { umfpack_di_free_numeric(&numeric_); }

  void factorize() {
    void* symbolic = nullptr;
    const Index n = static_cast<Index>(A_.cols());
    umfpack_di_symbolic(n, n, A_.outerIndexPtr(), A_.innerIndexPtr(), A_.valuePtr(), &symbolic, nullptr,
                        nullptr);
    umfpack_di_numeric(A_.outerIndexPtr(), A_.innerIndexPtr(), A_.valuePtr(), symbolic, &numeric_, nullptr,
                       nullptr);
    umfpack_di_free_symbolic(&symbolic);
  }

  Vector solve(const Vector& b) {
    Vector x(b.size());
    umfpack_di_solve(UMFPACK_A, A_.outerIndexPtr(), A_.innerIndexPtr(), A_.valuePtr(), x.data(), b.data(),
                     numeric_, nullptr, nullptr);
    return x;
  }

 private:
  EigenMatrix::Entries A_;
  void* numeric_ = nullptr;
};

}  // namespace halfdof::benchmark
