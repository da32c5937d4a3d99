// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/linear_algebra/exact/precise_vectors.h>
#include <halfdof/linear_algebra/exact/simple_eigenvalue.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

double rounding_of_simple_eigenvalue(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                     Complex lambda, const ComplexVector& x, const ComplexVector& y) {
  const double modulus = std::abs(lambda);
  const MultiVector T = modulus * modulus * M.cwiseAbs() + modulus * C.cwiseAbs() + K.cwiseAbs();
  const ComplexVector Mx = M * x;
  const double slope = std::abs((y.transpose() * (2. * lambda * Mx + C * x))(0)),
               curvature = std::abs((y.transpose() * Mx)(0)),
               delta = unit_roundoff * (y.cwiseAbs().transpose() * T * x.cwiseAbs())(0);
  return delta == 0 ? 0 : 2 * delta / (slope + std::sqrt(slope * slope + 4 * curvature * delta));
}

std::vector<Complex> certainly_finite_eigenvalues(ConstView<double> M, ConstView<double> C,
                                                  ConstView<double> K,
                                                  const std::vector<Complex>& eigenvalues) {
  // The margin allows for errors of computed entries, such as the entries that determine multipliers without
  // force.
  constexpr double margin = 4, circle_tolerance = 2;
  std::vector<Complex> finite;
  for (const Complex lambda : eigenvalues) {
    const double modulus = std::abs(lambda);
    const auto n_on_circle = std::count_if(eigenvalues.begin(), eigenvalues.end(), [&](Complex other) {
      return std::abs(other) <= circle_tolerance * modulus && modulus <= circle_tolerance * std::abs(other);
    });
    const auto [x, y] = precise_vector_pair(M, C, K, lambda);
    const double radius = rounding_of_simple_eigenvalue(K, C, M, 1. / lambda, x, y);
    if (!(1 / modulus <= margin * static_cast<double>(n_on_circle) * radius)) finite.push_back(lambda);
  }
  return finite;
}

}  // namespace halfdof::internal
