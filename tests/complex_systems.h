// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/structural_damping.h>

#include <Eigen/Dense>

#include "eigen_systems.h"
#include <algorithm>
#include <vector>

/// Systems with structural damping, and their dense complex matrices.
namespace halfdof::test {

struct ComplexSystem {
  DenseSystem real;
  MultiVector C_i, K_i;

  Index size() const { return real.size(); }
  ComplexMultiVector C() const { return real.C + Complex(0, 1) * C_i; }
  ComplexMultiVector K() const { return real.K + Complex(0, 1) * K_i; }
  ComplexMultiVector D(Complex s) const { return s * s * real.M + s * C() + K(); }
};

inline StructurallyDampedSystem<EigenEngine> structural(const ComplexSystem& system,
                                                        std::vector<Index> constrained = {}) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.real.M);
  description.damping = matrix_of<EigenEngine>(system.real.C);
  description.stiffness = matrix_of<EigenEngine>(system.real.K);
  description.constrained = std::move(constrained);
  return {description, {matrix_of<EigenEngine>(system.K_i), matrix_of<EigenEngine>(system.C_i)}};
}

/// A mass m (DoF 0) on two springs in series, k_1 (1 + i eta_1) and k_2 (1 + i eta_2); the node between them
/// (DoF 1) has no mass.
struct SpringsInSeries {
  double m = 2, k_1 = 300, k_2 = 200, eta_1 = 0.05, eta_2 = 0.3;

  ComplexSystem system() const {
    const MultiVector zero = MultiVector::Zero(2, 2);
    ComplexSystem both{{zero, zero, zero}, zero, zero};
    both.real.M(0, 0) = m;
    both.real.K << k_1, -k_1, -k_1, k_1 + k_2;
    both.K_i << eta_1 * k_1, -eta_1 * k_1, -eta_1 * k_1, eta_1 * k_1 + eta_2 * k_2;
    return both;
  }
  Complex stiffness() const { return 1. / (1. / (k_1 * Complex(1, eta_1)) + 1. / (k_2 * Complex(1, eta_2))); }
  /// The root of s^2 m + k in the second quadrant.
  Complex eigenvalue() const { return Complex(0, 1) * std::sqrt(stiffness() / m); }
};

/// Loss factors of some percent, different for each entry, in the pattern of K.
inline ComplexSystem with_loss_factors(const DenseSystem& real, unsigned seed) {
  RandomNumbers random(seed);
  const MultiVector factors = random.matrix(real.size(), real.size());
  const bool is_symmetric = real.K == real.K.transpose();
  const MultiVector eta =
      0.1 + (0.05 * (is_symmetric ? MultiVector(factors + factors.transpose()) : factors)).array();
  return {real, MultiVector::Zero(real.size(), real.size()), real.K.cwiseProduct(eta)};
}

/// The n_finite finite eigenvalues of the companion pencil in (q, q'), by a shift and the inverse: infinite
/// eigenvalues become the smallest ones.
inline std::vector<Complex> companion_eigenvalues(const ComplexSystem& system, Index n_finite) {
  const Index n = system.size();
  const Complex sigma(0.37, 0.21);
  ComplexMultiVector E = ComplexMultiVector::Identity(2 * n, 2 * n),
                     A = ComplexMultiVector::Zero(2 * n, 2 * n);
  E.bottomRightCorner(n, n) = system.real.M.cast<Complex>();
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -system.K();
  A.bottomRightCorner(n, n) = -system.C();
  const ComplexMultiVector R = (sigma * E - A).fullPivLu().solve(E);
  const ComplexVector values = Eigen::ComplexEigenSolver<ComplexMultiVector>(R, false).eigenvalues();
  std::vector<Complex> theta(values.begin(), values.end());
  std::sort(theta.begin(), theta.end(), [](Complex a, Complex b) { return std::abs(a) > std::abs(b); });
  std::vector<Complex> finite;
  for (Index k = 0; k < n_finite; ++k)
    finite.push_back(sigma - 1. / theta[static_cast<std::size_t>(k)]);
  return finite;
}

}  // namespace halfdof::test
