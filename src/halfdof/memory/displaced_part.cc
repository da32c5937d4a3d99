// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/memory/displaced_part.h>

#include <vector>

namespace halfdof::internal {

namespace {

constexpr double smallest_share = 1. / 11;

/// Relative displacement below which the difference of two directions counts as zero, so that they are
/// redundant.
constexpr double redundant = 1e-12;

}  // namespace

MultiVector displaced_part(const MultiVector& W, const MultiVector& S) {
  std::vector<Eigen::Index> moved;
  for (Eigen::Index j = 0; j < W.rows(); ++j)
    if (W.row(j).any() || W.col(j).any()) moved.push_back(j);
  MultiVector P = MultiVector::Zero(W.rows(), W.cols());
  if (moved.empty()) return P;
  const Vector scale = S.diagonal()(moved).cwiseSqrt().cwiseInverse();
  const auto scaled = [&](const MultiVector& A) -> MultiVector {
    return scale.asDiagonal() * A(moved, moved) * scale.asDiagonal();
  };
  const SymmetricEigenpairs whole = symmetric_eigenpairs(scaled((S + S.transpose()) / 2));
  const auto n = (whole.values.array() > redundant * whole.values.maxCoeff()).count();
  const Vector root = whole.values.tail(n).cwiseSqrt();
  const MultiVector T = whole.vectors.rightCols(n) * root.asDiagonal(),
                    T_inverse = root.cwiseInverse().asDiagonal() * whole.vectors.rightCols(n).transpose();
  const SingularValueDecomposition shares =
      singular_value_decomposition(T_inverse * scaled(W) * T_inverse.transpose());
  const auto n_moved = (shares.values.array() > smallest_share).count();
  const MultiVector U = shares.U.leftCols(n_moved);
  if (n_moved == static_cast<Eigen::Index>(moved.size()))
    P(moved, moved) = MultiVector::Identity(n_moved, n_moved);
  else if (n_moved > 0)
    P(moved, moved) =
        scale.cwiseInverse().asDiagonal() * (T * U) * (U.transpose() * T_inverse) * scale.asDiagonal();
  return P;
}

}  // namespace halfdof::internal
