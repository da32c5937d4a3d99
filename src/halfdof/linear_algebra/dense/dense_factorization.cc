// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_factorization.h>

#include <lapacke.h>

#include <cassert>

namespace halfdof::internal {

static_assert(sizeof(lapack_int) == sizeof(int), "LAPACK with 32-bit integers");

bool cholesky_in_place(MultiVector& A, Index n) {
  assert(n <= A.rows() && A.rows() == A.cols());
  if (n == 0) return true;
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', static_cast<lapack_int>(n), A.data(),
                             static_cast<lapack_int>(A.rows())) == 0;
}

void cholesky_solve_in_place(const MultiVector& L, Eigen::Ref<Vector> b) {
  constexpr Index max_order_of_plain_loops = 8;  // for larger orders, blocked solves are faster
  const auto n = static_cast<Index>(b.size());
  assert(n <= L.rows());
  if (n > max_order_of_plain_loops) {
    const auto lower = L.topLeftCorner(n, n).triangularView<Eigen::Lower>();
    lower.solveInPlace(b);
    lower.transpose().solveInPlace(b);
    return;
  }
  for (Index j = 0; j < n; ++j) {
    b[j] /= L(j, j);
    for (Index i = j + 1; i < n; ++i)
      b[i] -= L(i, j) * b[j];
  }
  for (Index j = n - 1; j >= 0; --j) {
    for (Index i = j + 1; i < n; ++i)
      b[j] -= L(i, j) * b[i];
    b[j] /= L(j, j);
  }
}

bool solve_in_place(MultiVector& A, Vector& b, std::vector<int>& pivots) {
  assert(A.rows() == A.cols() && A.rows() >= b.size());
  const auto n = static_cast<lapack_int>(b.size());
  if (n == 0) return true;
  pivots.resize(static_cast<std::size_t>(n));
  return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, A.data(), static_cast<lapack_int>(A.rows()),
                            pivots.data(), b.data(), n) == 0;
}

}  // namespace halfdof::internal
