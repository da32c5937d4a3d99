// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/scaling/equilibrating_scales.h>
#include <halfdof/spectrum/dense_spectrum.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace halfdof {

using namespace internal;
namespace {

double power_of_two_near(double x) {
  return std::exp2(std::round(std::log2(x)));
}

/// Scales rows and columns such that the largest entries of gamma^2 M, gamma C and K are near one.
void balance(double gamma, MultiVector& M, MultiVector& C, MultiVector& K) {
  const RowColumnScales scales = equilibrating_scales(
      (gamma * gamma * M.cwiseAbs()).cwiseMax(gamma * C.cwiseAbs()).cwiseMax(K.cwiseAbs()));
  for (MultiVector* matrix : {&M, &C, &K})
    *matrix = scales.rows.asDiagonal() * *matrix * scales.columns.asDiagonal();
}

double scale_of(const MultiVector& M, const MultiVector& C, const MultiVector& K) {
  return power_of_two_near(characteristic_rate(M.norm(), C.norm(), K.norm()));
}

}  // namespace

QuadraticSpectrum quadratic_spectrum(ConstView<double> M_given, ConstView<double> C_given,
                                     ConstView<double> K_given) {
  const Index n = static_cast<Index>(K_given.rows());
  check_square_and_finite(K_given, "stiffness");
  if (M_given.rows() != n || M_given.cols() != n || C_given.rows() != n || C_given.cols() != n)
    throw InvalidInput("Mass, damping and stiffness differ in shape. Pass three n x n matrices.");

  MultiVector M = M_given, C = C_given, K = K_given;
  balance(scale_of(M, C, K), M, C, K);
  const double gamma = scale_of(M, C, K);

  MultiVector A = MultiVector::Zero(2 * n, 2 * n), E = MultiVector::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -K;
  A.bottomRightCorner(n, n) = -gamma * C;
  E.topLeftCorner(n, n).setIdentity();
  E.bottomRightCorner(n, n) = gamma * gamma * M;

  const double epsilon = std::numeric_limits<double>::epsilon();
  const double null_alpha = 2 * n * epsilon * A.norm(), null_beta = 2 * n * epsilon * E.norm();
  QuadraticSpectrum spectrum;
  for (const HomogeneousEigenvalue& ratio : eigenvalues(A, E)) {
    if (std::abs(ratio.beta) > null_beta)
      spectrum.finite.push_back(gamma * ratio.alpha / ratio.beta);
    else
      ++(std::abs(ratio.alpha) > null_alpha ? spectrum.n_infinite : spectrum.n_undetermined);
  }
  sort_by_modulus(spectrum.finite);
  return spectrum;
}

void sort_by_modulus(std::vector<Complex>& eigenvalues) {
  std::sort(eigenvalues.begin(), eigenvalues.end(), [](Complex a, Complex b) {
    return std::make_tuple(std::abs(a), a.real(), -a.imag()) <
           std::make_tuple(std::abs(b), b.real(), -b.imag());
  });
}

}  // namespace halfdof
