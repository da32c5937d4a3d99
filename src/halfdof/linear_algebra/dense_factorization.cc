#include <halfdof/linear_algebra/dense_factorization.h>

#include <lapacke.h>

#include <cassert>

namespace halfdof {

static_assert(sizeof(lapack_int) == sizeof(int), "LAPACK with 32-bit integers");

bool cholesky_in_place(MultiVector& A, Index n) {
  assert(n <= A.rows() && A.rows() == A.cols());
  if (n == 0) return true;
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', static_cast<lapack_int>(n), A.data(),
                             static_cast<lapack_int>(A.rows())) == 0;
}

bool solve_in_place(MultiVector& A, Vector& b, std::vector<int>& pivots) {
  assert(A.rows() == A.cols() && A.rows() >= b.size());
  const auto n = static_cast<lapack_int>(b.size());
  if (n == 0) return true;
  pivots.resize(static_cast<std::size_t>(n));
  return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, A.data(), static_cast<lapack_int>(A.rows()),
                            pivots.data(), b.data(), n) == 0;
}

}  // namespace halfdof
