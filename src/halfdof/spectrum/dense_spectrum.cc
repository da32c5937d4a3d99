#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/dense_spectrum.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace halfdof {
namespace {

double power_of_two_near(double x) {
  return std::exp2(std::round(std::log2(x)));
}

/// Brings the largest entries of rows and columns near one, a few sweeps of square roots (Ruiz, 2001).
void balance(double gamma, MultiVector& M, MultiVector& C, MultiVector& K) {
  if (K.size() == 0) return;
  for (int sweep = 0; sweep < 4; ++sweep) {
    const MultiVector size =
        (gamma * gamma * M.cwiseAbs()).cwiseMax(gamma * C.cwiseAbs()).cwiseMax(K.cwiseAbs());
    const auto inverse_root = [](double largest) {
      return largest > 0 ? power_of_two_near(1 / std::sqrt(largest)) : 1.;
    };
    const Vector rows = size.rowwise().maxCoeff().unaryExpr(inverse_root);
    const Vector columns = size.colwise().maxCoeff().transpose().unaryExpr(inverse_root);
    for (MultiVector* matrix : {&M, &C, &K})
      *matrix = rows.asDiagonal() * *matrix * columns.asDiagonal();
  }
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
