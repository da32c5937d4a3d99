// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/rigid_modes.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/orthonormal.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

namespace halfdof::internal {

namespace {

constexpr double shift =
    1e-10;  // far above rounding errors, far below the Rayleigh quotients of elastic motions
constexpr double max_rigid_quotient = 1e-13;
constexpr Index max_modes = 96;
constexpr int n_iterations = 4;

/// Computes the kernel of S K S with S = diag(s) by inverse subspace iteration with a block of n_columns
/// vectors and a Rayleigh-Ritz projection. The first result is an orthonormal basis Y of this kernel, so that
/// S Y is a basis of the kernel of K. The second result is whether the block was large enough to contain the
/// whole kernel.
template <class Engine>
std::pair<MultiVector, bool> scaled_kernel(const typename Engine::Matrix& K, const Vector& s,
                                           const Factorization<double>& shifted, Index n_columns) {
  const Communicator& communicator = K.rows().communicator();
  MultiVector Y = orthonormalized(communicator, pseudo_random(K.rows(), n_columns));
  for (int i = 0; i < n_iterations; ++i) {
    const MultiVector right = s.cwiseInverse().asDiagonal() * Y;
    Y = orthonormalized(communicator, s.cwiseInverse().asDiagonal() * shifted.solve(right));
  }
  const MultiVector X = s.asDiagonal() * Y;
  MultiVector KX = MultiVector::Zero(X.rows(), X.cols());
  K.add_product(1., X, KX);
  const SymmetricEigenpairs small = symmetric_eigenpairs(inner_products(communicator, X, KX));
  const Index n_kernel =
      static_cast<Index>((small.values.array() < max_rigid_quotient).template cast<int>().sum());
  const bool complete = n_kernel < Y.cols() || Y.cols() == K.rows().n_global();
  return {Y * small.vectors.leftCols(n_kernel), complete};
}

/// Finds the row with the largest norm over all processes. The results are the entries of this row and its
/// local index, which is -1 on processes that do not own the row.
std::pair<Vector, Index> largest_row(const Communicator& communicator, const MultiVector& rows) {
  Index position = -1;
  double largest = 0;
  for (Index i = 0; i < rows.rows(); ++i)
    if (rows.row(i).norm() > largest) largest = rows.row(position = i).norm();
  const double of_all = communicator.max(largest);
  const bool candidate = position >= 0 && largest == of_all;
  const bool chosen = communicator.sum_before(candidate ? 1 : 0) == 0 && candidate;
  Vector row = Vector::Zero(rows.cols());
  if (chosen) row = rows.row(position);
  communicator.sum(row.data(), static_cast<int>(row.size()));
  return {row, chosen ? position : -1};
}

/// Computes the basis N = S Y (S_r Y_r)^{-1}, which is the identity in the rows r. These rows are the pivots
/// of a greedy orthogonalization of the rows of Y.
RigidModes normalized_at_pivots(const Communicator& communicator, const MultiVector& Y, const Vector& s) {
  const auto n_modes = static_cast<Index>(Y.cols());
  RigidModes modes;
  MultiVector rest = Y;
  MultiVector Y_r = MultiVector::Zero(n_modes, n_modes);
  Vector s_r = Vector::Zero(n_modes);
  for (Index k = 0; k < n_modes; ++k) {
    const auto [direction, position] = largest_row(communicator, rest);
    if (position >= 0) {
      Y_r.row(k) = Y.row(position);
      s_r[k] = s[position];
      modes.fixed.push_back(position);
      modes.mode.push_back(k);
    }
    rest -= (rest * direction) * direction.transpose() / direction.squaredNorm();
  }
  communicator.sum(Y_r.data(), n_modes * n_modes);
  communicator.sum(s_r.data(), n_modes);
  modes.basis = s.asDiagonal() * Y;
  if (n_modes > 0) modes.basis *= solve_dense(Y_r, MultiVector(s_r.cwiseInverse().asDiagonal()));
  return modes;
}

}  // namespace

template <class Engine>
RigidModes rigid_modes(const typename Engine::Matrix& K) {
  const Communicator& communicator = K.rows().communicator();
  const Vector norms = Engine::column_norms(K);
  const auto shifted = Engine::factorize(Engine::sum(1., K, shift, Engine::diagonal(norms, K.rows())));

  const Vector s = norms.cwiseSqrt().cwiseInverse();
  MultiVector Y;
  for (Index n_columns = 12;; n_columns *= 2) {
    const Index block = static_cast<Index>(std::min<GlobalIndex>(n_columns, K.rows().n_global()));
    bool complete = false;
    std::tie(Y, complete) = scaled_kernel<Engine>(K, s, *shifted, block);
    if (complete) break;
    if (n_columns > max_modes)
      throw InvalidInput("The stiffness of an elastic part with " + std::to_string(K.rows().n_global()) +
                         " degrees of freedom has more than " + std::to_string(max_modes) +
                         " rigid motions, so that it consists of many pieces that are neither connected nor "
                         "clamped. Give each connected piece as a body of its own, or clamp the pieces.");
  }
  return normalized_at_pivots(communicator, Y, s);
}

template RigidModes rigid_modes<InstantiatedEngine>(const InstantiatedEngine::Matrix&);

}  // namespace halfdof::internal
