// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/memory/massless_projector.h>

#include <vector>

namespace halfdof::internal {

namespace {

/// Smallest fraction of a displacement that must follow the reactions at once if the displacement counts as
/// massless.
constexpr double min_massless_fraction = 1. / 11;

/// Eigenvalues of S, scaled to a unit diagonal, count as zero below this fraction of the largest eigenvalue.
constexpr double zero_eigenvalue = 1e-12;

}  // namespace

MultiVector massless_projector(const MultiVector& W, const MultiVector& S) {
  std::vector<Eigen::Index> moved;
  for (Eigen::Index j = 0; j < W.rows(); ++j)
    if (W.row(j).any() || W.col(j).any()) moved.push_back(j);
  MultiVector P = MultiVector::Zero(W.rows(), W.cols());
  if (moved.empty()) return P;
  const Vector scale = S.diagonal()(moved).cwiseSqrt().cwiseInverse();
  const auto scaled = [&](const MultiVector& A) -> MultiVector {
    return scale.asDiagonal() * A(moved, moved) * scale.asDiagonal();
  };
  const SymmetricEigenpairs eigenpairs_of_S = symmetric_eigenpairs(scaled((S + S.transpose()) / 2));
  const auto n =
      (eigenpairs_of_S.values.array() > zero_eigenvalue * eigenpairs_of_S.values.maxCoeff()).count();
  const Vector root = eigenpairs_of_S.values.tail(n).cwiseSqrt();
  const MultiVector T = eigenpairs_of_S.vectors.rightCols(n) * root.asDiagonal(),
                    T_inverse =
                        root.cwiseInverse().asDiagonal() * eigenpairs_of_S.vectors.rightCols(n).transpose();
  const SingularValueDecomposition massless_fractions =
      singular_value_decomposition(T_inverse * scaled(W) * T_inverse.transpose());
  const auto n_massless = (massless_fractions.values.array() > min_massless_fraction).count();
  const MultiVector U = massless_fractions.U.leftCols(n_massless);
  if (n_massless == static_cast<Eigen::Index>(moved.size()))
    P(moved, moved) = MultiVector::Identity(n_massless, n_massless);
  else if (n_massless > 0)
    P(moved, moved) =
        scale.cwiseInverse().asDiagonal() * (T * U) * (U.transpose() * T_inverse) * scale.asDiagonal();
  return P;
}

}  // namespace halfdof::internal
