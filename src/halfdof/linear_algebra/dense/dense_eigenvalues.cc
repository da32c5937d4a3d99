// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>

#include <lapacke.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace halfdof {
namespace {

template <class Derived>
void check(const Eigen::MatrixBase<Derived>& A, const std::string& name) {
  std::ostringstream message;
  if (A.rows() != A.cols()) {
    message << "The " << name << " has " << A.rows() << " rows and " << A.cols()
            << " columns. Eigenvalues are defined for square matrices only: pass a square matrix.";
    throw InvalidInput(message.str());
  }
  if (A.rows() > dense_spectrum_limit) {
    message << "The " << name << " is of order " << A.rows()
            << ". All its eigenvalues are computed only up to order " << dense_spectrum_limit
            << ". Compute the eigenvalues nearest to a shift instead (nearest_eigenvalues).";
    throw NotAvailable(message.str());
  }
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      if (!std::isfinite(std::abs(A(i, j)))) {
        message << "The " << name << " has the entry " << A(i, j) << " in row " << i << ", column " << j
                << ". Eigenvalues exist only for matrices with finite entries: correct this entry.";
        throw InvalidInput(message.str());
      }
}

void check_all_converged(lapack_int info, const std::string& method) {
  if (info == 0) return;
  throw NoConvergence("The " + method + " of LAPACK ended before all eigenvalues had converged (info = " +
                          std::to_string(info) +
                          "). The matrix is badly scaled: check the units, or compute only the eigenvalues "
                          "nearest to a shift.",
                      std::numeric_limits<double>::quiet_NaN());
}

struct RealEigenpairs {
  Vector re, im;
  MultiVector vectors;
};

RealEigenpairs dgeev(ConstView<double> A, char want_vectors) {
  check(A, "matrix");
  const auto n = static_cast<lapack_int>(A.rows());
  MultiVector work = A;
  RealEigenpairs result{Vector(n), Vector(n), MultiVector(want_vectors == 'V' ? n : 0, n)};
  if (n == 0) return result;
  check_all_converged(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', want_vectors, n, work.data(), n, result.re.data(),
                                    result.im.data(), nullptr, 1, result.vectors.data(), n),
                      "QR iteration (dgeev)");
  return result;
}

std::vector<Complex> complex_values(const Vector& re, const Vector& im) {
  std::vector<Complex> values(static_cast<std::size_t>(re.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = {re[static_cast<Index>(i)], im[static_cast<Index>(i)]};
  return values;
}

}  // namespace

void check_square_and_finite(ConstView<double> A, const std::string& name) {
  check(A, name);
}

std::vector<Complex> eigenvalues(ConstView<double> A) {
  const RealEigenpairs real = dgeev(A, 'N');
  return complex_values(real.re, real.im);
}

DenseEigenpairs eigenpairs(ConstView<double> A) {
  const RealEigenpairs real = dgeev(A, 'V');
  DenseEigenpairs pairs{complex_values(real.re, real.im), real.vectors.cast<Complex>()};
  for (Index j = 0; j + 1 < A.cols(); ++j)
    if (real.im[j] > 0) {
      pairs.vectors.col(j).imag() = real.vectors.col(j + 1);
      pairs.vectors.col(j + 1) = pairs.vectors.col(j).conjugate();
      ++j;
    }
  return pairs;
}

DenseEigenpairs eigenpairs(ConstView<Complex> A) {
  check(A, "matrix");
  const auto n = static_cast<lapack_int>(A.rows());
  ComplexMultiVector work = A;
  DenseEigenpairs pairs{std::vector<Complex>(static_cast<std::size_t>(n)), ComplexMultiVector(n, n)};
  if (n > 0)
    check_all_converged(LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', 'V', n, work.data(), n, pairs.values.data(),
                                      nullptr, 1, pairs.vectors.data(), n),
                        "QR iteration (zgeev)");
  return pairs;
}

std::vector<HomogeneousEigenvalue> eigenvalues(ConstView<double> A, ConstView<double> E) {
  check(A, "first matrix of the pencil");
  check(E, "second matrix of the pencil");
  if (A.rows() != E.rows())
    throw InvalidInput("The two matrices of the pencil are of order " + std::to_string(A.rows()) + " and " +
                       std::to_string(E.rows()) + ". Both must be of the same order.");
  const auto n = static_cast<lapack_int>(A.rows());
  MultiVector a = A, e = E;
  Vector re(n), im(n), beta(n);
  // dggev3 is not used, because its subroutine dlaqz0 (LAPACK 3.10, for orders above about 500) writes past
  // the end of its arrays.
  if (n > 0)
    check_all_converged(LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', n, a.data(), n, e.data(), n, re.data(),
                                      im.data(), beta.data(), nullptr, 1, nullptr, 1),
                        "QZ iteration (dggev)");
  std::vector<HomogeneousEigenvalue> result;
  for (Index i = 0; i < n; ++i)
    result.push_back({Complex(re[i], im[i]), beta[i]});
  return result;
}

}  // namespace halfdof
