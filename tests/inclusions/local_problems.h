#pragma once

#include <halfdof/inclusions/law.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "systems.h"
#include <cmath>

/// Small random data for laws and for problems w = W r + b.
namespace halfdof::test {

/// Eigenvalues from 1 down to 1/condition, evenly spaced in their logarithms.
inline MultiVector positive_definite(RandomNumbers& random, Index m, double condition) {
  const MultiVector Q = Eigen::HouseholderQR<MultiVector>(random.matrix(m, m)).householderQ();
  Vector values(m);
  for (Index k = 0; k < m; ++k)
    values[k] = std::pow(condition, -k / std::max(1., m - 1.));
  const MultiVector W = Q * values.asDiagonal() * Q.transpose();
  return 0.5 * (W + W.transpose());
}

/// With a skew part of the size of the smallest eigenvalue and more: unsymmetric, x^T W x > 0.
inline MultiVector unsymmetric(RandomNumbers& random, Index m, double condition) {
  const MultiVector any = random.matrix(m, m);
  return positive_definite(random, m, condition) + 0.2 * (any - any.transpose());
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
