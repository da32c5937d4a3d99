// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/memory/block_exponential.h>

#include <cmath>
#include <cstddef>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns the exponential F_0 = e^{J t} and its repeated integrals F_1, ..., F_n. The size of the matrix
/// type may be fixed at compile time (1 x 1 and 2 x 2 blocks) or dynamic.
template <class Matrix>
std::vector<Matrix> integrals_of_exponential(const Matrix& J, double t, int n) {
  constexpr int n_terms = 14;  // number of terms x^k/k!; for x <= 1/2 the omitted terms are below rounding
  const double size = J.cwiseAbs().rowwise().sum().maxCoeff() * t;
  int n_doublings = 0;
  if (size > 0.5) n_doublings = std::ilogb(size) + 2;
  double length = std::ldexp(t, -n_doublings);

  const Matrix I = Matrix::Identity(J.rows(), J.cols());
  const Matrix A = length * J;
  std::vector<Matrix> F(static_cast<std::size_t>(n) + 1, I);
  Matrix& last = F.back();  // Horner's scheme for n! sum_k A^k/(k + n)!
  for (int k = n_terms; k > 0; --k) {
    const Matrix product = A * last;
    last = I + product / (k + n);
  }
  double factorial = 1;
  for (int k = 1; k <= n; ++k)
    factorial *= k;
  last /= factorial;
  for (int k = n; k-- > 0;) {  // sum_j A^j/(j + k)! = I/k! + A sum_j A^j/(j + k + 1)!
    factorial /= k + 1;
    F[static_cast<std::size_t>(k)] = I / factorial + A * F[static_cast<std::size_t>(k) + 1];
  }
  double power = 1;
  for (Matrix& of : F) {
    of *= power;
    power *= length;
  }
  for (int doubled = 0; doubled < n_doublings; ++doubled, length *= 2)
    for (std::size_t k = F.size(); k-- > 0;) {
      Matrix sum = F[0] * F[k];
      double weight = 1;  // length^j/j!
      for (std::size_t j = 0; j < k; ++j, weight *= length / static_cast<double>(j))
        sum += weight * F[k - j];
      F[k] = sum;
    }
  return F;
}

template <class Matrix>
std::vector<MultiVector> as_multivectors(const std::vector<Matrix>& F) {
  return {F.begin(), F.end()};
}

/// Computes the integrals for a 2 x 2 matrix. The second coordinate is scaled so that the off-diagonal
/// entries have similar size, which needs fewer doublings and gives less rounding.
std::vector<MultiVector> integrals_of_2x2(const Eigen::Matrix2d& J, double t, int n) {
  const double upper = std::abs(J(0, 1)), lower = std::abs(J(1, 0));
  const bool both = upper > 0 && lower > 0 && std::isfinite(lower / upper);
  const double unit = both ? std::ldexp(1., std::ilogb(lower / upper) / 2) : 1.;
  const Eigen::DiagonalMatrix<double, 2> D(1., unit), D_inverse(1., 1 / unit);
  std::vector<Eigen::Matrix2d> balanced = integrals_of_exponential<Eigen::Matrix2d>(D_inverse * J * D, t, n);
  for (Eigen::Matrix2d& of : balanced)
    of = (D * of * D_inverse).eval();
  return as_multivectors(balanced);
}

}  // namespace

std::vector<MultiVector> exponential_integrals(const MultiVector& J, double t, int n) {
  switch (J.rows()) {
    case 1:
      return as_multivectors(integrals_of_exponential<Eigen::Matrix<double, 1, 1>>(J, t, n));
    case 2:
      return integrals_of_2x2(J, t, n);
    default:
      return integrals_of_exponential<MultiVector>(J, t, n);
  }
}

BlockExponential block_exponential(const MultiVector& J, double t) {
  std::vector<MultiVector> F = exponential_integrals(J, t, 2);
  return {std::move(F[0]), std::move(F[1]), std::move(F[2])};
}

}  // namespace halfdof::internal
