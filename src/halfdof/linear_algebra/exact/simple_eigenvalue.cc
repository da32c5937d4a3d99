#include <halfdof/linear_algebra/exact/precise_vectors.h>
#include <halfdof/linear_algebra/exact/simple_eigenvalue.h>

#include <cmath>
#include <limits>

namespace halfdof {

double rounding_of_simple_eigenvalue(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                     Complex lambda, const ComplexVector& x, const ComplexVector& y) {
  constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;
  const double modulus = std::abs(lambda);
  const MultiVector T = modulus * modulus * M.cwiseAbs() + modulus * C.cwiseAbs() + K.cwiseAbs();
  const ComplexVector Mx = M * x;
  const double slope = std::abs((y.transpose() * (2. * lambda * Mx + C * x))(0)),
               curvature = std::abs((y.transpose() * Mx)(0)),
               delta = unit_roundoff * (y.cwiseAbs().transpose() * T * x.cwiseAbs())(0);
  return delta == 0 ? 0 : 2 * delta / (slope + std::sqrt(slope * slope + 4 * curvature * delta));
}

bool may_be_infinite(ConstView<double> M, ConstView<double> C, ConstView<double> K, Complex lambda, Index k) {
  constexpr double most = 4;
  const auto [x, y] = precise_vector_pair(M, C, K, lambda);
  return 1 / std::abs(lambda) <= most * k * rounding_of_simple_eigenvalue(K, C, M, 1. / lambda, x, y);
}

}  // namespace halfdof
