// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/lapack_order.h>

#include <algorithm>
#include <limits>
#include <string>

namespace halfdof::internal {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double one_norm(const MultiVector& A) {
  return A.cwiseAbs().colwise().sum().maxCoeff();
}

void check(lapack_int info, const char* routine) {
  if (info < 0)
    throw InvalidInput(std::string("A dense matrix passed to the LAPACK routine ") + routine +
                       " has entries that are infinite or NaN. Check the coefficients.");
}

template <class Routine, class Matrix>
Matrix solve_by(const Routine& gesv, Matrix A, Matrix B) {
  const lapack_int n = order(A.rows());
  if (B.size() == 0) return B;
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  const lapack_int info = gesv(LAPACK_COL_MAJOR, n, order(B.cols()), A.data(), n, pivots.data(), B.data(), n);
  check(info, "gesv");
  if (info > 0)
    throw SingularMatrix("A dense linear system of " + std::to_string(n) +
                         " equations is singular: in Gaussian elimination, pivot " + std::to_string(info) +
                         " is zero. Check the coefficients for linearly dependent equations.");
  return B;
}

}  // namespace

MultiVector solve_dense(ConstView<double> A, ConstView<double> B) {
  return solve_by(LAPACKE_dgesv, MultiVector(A), MultiVector(B));
}

ComplexMultiVector solve_dense(ConstView<Complex> A, ConstView<Complex> B) {
  return solve_by(LAPACKE_zgesv, ComplexMultiVector(A), ComplexMultiVector(B));
}

std::optional<MultiVector> inverse_of(MultiVector A) {
  const lapack_int n = order(A.rows());
  if (n == 0) return A;
  const double norm = one_norm(A);
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  const lapack_int info = LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, A.data(), n, pivots.data());
  check(info, "dgetrf");
  double reciprocal = 0;
  if (info == 0) LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, A.data(), n, norm, &reciprocal);
  if (reciprocal <= epsilon) return std::nullopt;
  LAPACKE_dgetri(LAPACK_COL_MAJOR, n, A.data(), n, pivots.data());
  return A;
}

double reciprocal_condition_of_definite(MultiVector A) {
  const lapack_int n = order(A.rows());
  if (n == 0) return 1;
  const double norm = one_norm(A);
  const lapack_int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, A.data(), n);
  check(info, "dpotrf");
  double reciprocal = 0;
  if (info == 0) LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', n, A.data(), n, norm, &reciprocal);
  return reciprocal;
}

std::vector<Index> independent_columns(MultiVector A, double threshold) {
  if (A.size() == 0) return {};
  std::vector<lapack_int> columns(static_cast<std::size_t>(A.cols()), 0);
  Vector tau(std::min(A.rows(), A.cols()));
  check(LAPACKE_dgeqp3(LAPACK_COL_MAJOR, order(A.rows()), order(A.cols()), A.data(), order(A.rows()),
                       columns.data(), tau.data()),
        "dgeqp3");
  const Vector pivots = A.diagonal().cwiseAbs();
  std::vector<Index> independent;
  for (Index k = 0; k < pivots.size() && pivots[k] > threshold * pivots[0]; ++k)
    independent.push_back(static_cast<Index>(columns[static_cast<std::size_t>(k)]) - 1);
  return independent;
}

MultiVector orthonormal_range(MultiVector A) {
  if (A.size() == 0) return A;
  const lapack_int n = order(A.rows()), k = order(A.cols());
  Vector tau(A.cols());
  check(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, k, A.data(), n, tau.data()), "dgeqrf");
  LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, k, k, A.data(), n, tau.data());
  return A;
}

LeastSquares::LeastSquares(ConstView<double> A, std::optional<double> threshold)
    : svd_(singular_value_decomposition(A)) {
  const Vector& values = svd_.values;
  const double smallest = threshold.value_or(epsilon * static_cast<double>(std::max(A.rows(), A.cols()))) *
                          (values.size() > 0 ? values[0] : 0);
  rank_ = static_cast<Index>((values.array() > smallest).count());
}

MultiVector LeastSquares::solve(ConstView<double> b) const {
  const MultiVector in_range = svd_.U.leftCols(rank_).transpose() * b;
  const Vector inverse = svd_.values.head(rank_).cwiseInverse();
  return svd_.V.leftCols(rank_) * (inverse.asDiagonal() * in_range);
}

MultiVector LeastSquares::kernel() const {
  return svd_.V.rightCols(svd_.V.cols() - rank_);
}

MultiVector LeastSquares::left_kernel() const {
  return svd_.U.rightCols(svd_.U.cols() - rank_);
}

}  // namespace halfdof::internal
