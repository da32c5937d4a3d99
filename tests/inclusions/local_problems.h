// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "systems.h"
#include <cmath>

/// Small random data for laws and for problems w = W r + b.
namespace halfdof::test {

/// An orthogonal matrix.
inline MultiVector random_axes(RandomNumbers& random, Index m) {
  return Eigen::HouseholderQR<MultiVector>(random.matrix(m, m)).householderQ();
}

/// From 1 down to 1/condition, evenly spaced in their logarithms.
inline Vector spread_eigenvalues(Index m, double condition) {
  Vector values(m);
  for (Index k = 0; k < m; ++k)
    values[k] = std::pow(condition, -k / std::max(1., m - 1.));
  return values;
}

inline MultiVector positive_definite(RandomNumbers& random, Index m, double condition) {
  const MultiVector Q = random_axes(random, m);
  const MultiVector W = Q * spread_eigenvalues(m, condition).asDiagonal() * Q.transpose();
  return 0.5 * (W + W.transpose());
}

/// Q D^1/2 (1 + S) D^1/2 Q^T with a skew S: x^T W x > 0, and as stiff as the eigenvalues D of the symmetric
/// part, from 1 down to 1/condition.
inline MultiVector unsymmetric(RandomNumbers& random, Index m, double condition) {
  const MultiVector any = random.matrix(m, m);
  const MultiVector skewed = MultiVector::Identity(m, m) + 0.5 * (any - any.transpose());
  const MultiVector root = random_axes(random, m) * spread_eigenvalues(m, condition).cwiseSqrt().asDiagonal();
  return root * skewed * root.transpose();
}

inline Vector random_vector(RandomNumbers& random, Index m) {
  return random.matrix(m, 1);
}

/// |r - R(r - rho w)| beside the sizes that it is made of.
inline double relative_residual(const Law& law, const LawParameters& parameters, const LocalMatrix& W,
                                const Vector& b, const Vector& r) {
  const double rho = static_cast<double>(W.rows()) / W.trace();
  const Vector w = W * r + b;
  return law.natural_residual(parameters, rho, w, r) / (r.norm() + rho * b.norm());
}

inline bool mentions(const std::exception& error, const std::string& text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

}  // namespace halfdof::test
