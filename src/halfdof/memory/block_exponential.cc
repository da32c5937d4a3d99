#include <halfdof/memory/block_exponential.h>

#include <cmath>

namespace halfdof {

namespace {

/// Of matrices whose size is known when this is compiled, which most have, or not.
template <class Matrix>
BlockExponential exponential(const Matrix& J, double t) {
  constexpr int n_terms = 14;  // of x^k/k!, x <= 1/2: below rounding
  const double size = J.cwiseAbs().rowwise().sum().maxCoeff() * t;
  int n_doublings = 0;
  if (size > 0.5) n_doublings = std::ilogb(size) + 2;
  double length = std::ldexp(t, -n_doublings);

  const Matrix I = Matrix::Identity(J.rows(), J.cols());
  const Matrix A = length * J;
  Matrix second = I;  // Horner's scheme for 2 sum_k A^k/(k + 2)!
  for (int k = n_terms; k > 2; --k) {
    const Matrix product = A * second;
    second = I + product / k;
  }
  second /= 2;
  const Matrix first = I + A * second;
  Matrix E = I + A * first, F_1 = length * first, F_2 = length * length * second;
  for (int doubled = 0; doubled < n_doublings; ++doubled) {
    const Matrix sum = E + I;
    F_2 = (sum * F_2 + length * F_1).eval();
    F_1 = (sum * F_1).eval();
    E = (E * E).eval();
    length *= 2;
  }
  return {E, F_1, F_2};
}

/// In a unit of the second coordinate in which both act on each other alike: fewer doublings, and less rounding.
BlockExponential of_pair(const Eigen::Matrix2d& J, double t) {
  const double up = std::abs(J(0, 1)), down = std::abs(J(1, 0));
  const bool both = up > 0 && down > 0 && std::isfinite(down / up);
  const double unit = both ? std::ldexp(1., std::ilogb(down / up) / 2) : 1.;
  const Eigen::DiagonalMatrix<double, 2> D(1., unit), D_inverse(1., 1 / unit);
  const BlockExponential balanced = exponential<Eigen::Matrix2d>(D_inverse * J * D, t);
  return {D * balanced.E * D_inverse, D * balanced.F_1 * D_inverse, D * balanced.F_2 * D_inverse};
}

}  // namespace

BlockExponential block_exponential(const MultiVector& J, double t) {
  switch (J.rows()) {
    case 1:
      return exponential<Eigen::Matrix<double, 1, 1>>(J, t);
    case 2:
      return of_pair(J, t);
    default:
      return exponential<MultiVector>(J, t);
  }
}

}  // namespace halfdof
