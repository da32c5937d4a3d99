// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>

#include <cmath>

namespace halfdof::internal {

namespace {

/// Eigenvalues of the symmetric part of W, scaled to a unit diagonal, count as zero below this fraction of
/// the largest eigenvalue.
constexpr double range_tolerance = 1e-12;

/// Returns a basis T of the range of W_s, the symmetric part of W, with T^T W_s T = 1 (the identity matrix).
MultiVector orthonormal_basis_of_range(const MultiVector& W) {
  Vector scale = W.diagonal();
  for (double& entry : scale)
    entry = entry > 0 ? 1 / std::sqrt(entry) : 0.;
  const MultiVector symmetric = scale.asDiagonal() * (0.5 * (W + W.transpose())) * scale.asDiagonal();
  const auto [values, vectors] = symmetric_eigenpairs(symmetric);
  const auto rank = (values.array() > range_tolerance * values.tail<1>()[0]).count();
  return scale.asDiagonal() * vectors.rightCols(rank) *
         values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace

double joint_weakening(const MultiVector& W, const Vector& l) {
  if ((l.array() == 0).all()) return 0;
  const MultiVector X = l.cwiseSqrt().asDiagonal() * (W * orthonormal_basis_of_range(W));
  if (X.cols() == 0) return 0;
  return symmetric_eigenvalues(X.transpose() * X).tail<1>()[0];
}

}  // namespace halfdof::internal
