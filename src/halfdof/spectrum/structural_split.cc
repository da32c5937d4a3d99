// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/structural_split.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// Returns X^H X + Y^H Y over all processes.
ComplexMultiVector gram_matrix(const Communicator& communicator, const ComplexMultiVector& X,
                               const ComplexMultiVector& Y) {
  ComplexMultiVector G = X.adjoint() * X + Y.adjoint() * Y;
  communicator.sum(reinterpret_cast<double*>(G.data()), 2 * static_cast<int>(G.size()));
  return G;
}

/// Returns whether the inverse of a Gram matrix with ones on its diagonal changes rounding to less than
/// `undecided_weight`.
bool determines_weights(const ComplexMultiVector& scaled_G) {
  // Of the entries, which are sums of products; weights change by the error of G over its least eigenvalue.
  constexpr double rounding = 10 * std::numeric_limits<double>::epsilon();
  const Eigen::SelfAdjointEigenSolver<ComplexMultiVector> solver(scaled_G, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success &&
         solver.eigenvalues().minCoeff() * undecided_weight > static_cast<double>(scaled_G.rows()) * rounding;
}

}  // namespace

template <class Engine>
std::optional<SubspaceParts> split_subspace(const StructurallyDampedSystem<Engine>& system,
                                            const ComplexMultiVector& X, const ComplexMultiVector& A) {
  const Communicator& communicator = system.real_part().dofs().communicator();
  const double rate = A.norm() / std::sqrt(static_cast<double>(A.cols()));
  // Displacements and rates together determine the motions of the subspace.
  const ComplexMultiVector rates = rate > 0 ? ComplexMultiVector(X * A / rate) : ComplexMultiVector(X * A);
  const ComplexMultiVector G = gram_matrix(communicator, X, rates),
                           H = 0.5 * gram_matrix(communicator, system.joined(X), system.joined(rates));
  // Columns of length one, since a shape may be much larger than another.
  const Vector length = G.diagonal().real().cwiseSqrt();
  if (!(length.array() > 0).all() || !G.allFinite()) return {};
  const Vector scale = length.cwiseInverse();
  const ComplexMultiVector scaled_G = scale.asDiagonal() * G * scale.asDiagonal(),
                           scaled_H = scale.asDiagonal() * H * scale.asDiagonal();
  if (!determines_weights(scaled_G)) return {};
  const Eigen::GeneralizedSelfAdjointEigenSolver<ComplexMultiVector> weights(scaled_H, scaled_G);
  if (weights.info() != Eigen::Success) return {};
  Eigen::Index n_conjugate = 0;
  for (const double weight : weights.eigenvalues()) {
    if (!(std::min(std::abs(weight), std::abs(weight - 1)) < undecided_weight)) return {};
    n_conjugate += weight > 0.5 ? 0 : 1;
  }
  const ComplexMultiVector all = scale.asDiagonal() * weights.eigenvectors();  // ascending weights
  SubspaceParts parts{all.rightCols(all.cols() - n_conjugate), all.leftCols(n_conjugate), {}};
  // The span of these combinations is invariant under A.
  if (parts.of_complex_system.cols() > 0)
    parts.A = parts.of_complex_system.colPivHouseholderQr().solve(A * parts.of_complex_system);
  return parts;
}

template std::optional<SubspaceParts> split_subspace(const StructurallyDampedSystem<InstantiatedEngine>&,
                                                     const ComplexMultiVector&, const ComplexMultiVector&);

}  // namespace halfdof::internal
