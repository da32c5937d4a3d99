// SPDX-License-Identifier: LGPL-2.1-or-later
#include "systems.h"

#include <numeric>
#include <utility>

namespace halfdof::test {

MultiVector RandomNumbers::matrix(Index n_rows, Index n_columns) {
  return MultiVector::NullaryExpr(n_rows, n_columns, [this] { return (*this)(); });
}

std::vector<Index> RandomNumbers::permutation(Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (Index i = n - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(below(i + 1))]);
  return order;
}

DenseSystem engine_mount() {
  DenseSystem mount{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  mount.M(0, 0) = 20;
  mount.C << 100, -100, 0, -100, 100, 0, 0, 0, 300;
  mount.K << 5500, 0, -500, 0, 1000, 0, -500, 0, 1000;
  return mount;
}

DenseSystem three_kinds() {
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M << 2, 0, 0, 1, 0, 0, -1, 0, 0;
  system.C << 1, 3, 0, -2, 4, 0, 5, 1, 0;
  system.K << 7, -1, 2, 0, 3, 1, 4, -2, 5;
  return system;
}

DenseSystem random_unsymmetric(Index n_inertial, Index n_viscous, Index n_algebraic, unsigned seed) {
  RandomNumbers random(seed);
  const Index n = n_inertial + n_viscous + n_algebraic;
  const std::vector<Index> place = random.permutation(n);
  DenseSystem system{MultiVector::Zero(n, n), MultiVector::Zero(n, n), random.matrix(n, n)};
  for (Index j = 0; j < n; ++j) {
    const Index column = place[static_cast<std::size_t>(j)];
    if (j < n_inertial) system.M.col(column) = random.matrix(n, 1);
    if (j < n_inertial + n_viscous) system.C.col(column) = random.matrix(n, 1);
  }
  return system;
}

DenseSystem random_symmetric(Index n_inertial, Index n_viscous, Index n_algebraic, unsigned seed) {
  RandomNumbers random(seed);
  const Index n = n_inertial + n_viscous + n_algebraic;
  const auto definite = [&](Index size) {
    const MultiVector root = random.matrix(size, size);
    return MultiVector(root * root.transpose() + MultiVector::Identity(size, size));
  };
  DenseSystem ordered{MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  const Index n_moving = n_inertial + n_viscous;
  ordered.M.topLeftCorner(n_inertial, n_inertial) = definite(n_inertial);
  ordered.C.topLeftCorner(n_moving, n_moving) = definite(n_moving);
  ordered.K.topLeftCorner(n_moving, n_moving) = definite(n_moving);
  ordered.K.bottomRightCorner(n_algebraic, n_algebraic) = -definite(n_algebraic);
  ordered.K.topRightCorner(n_moving, n_algebraic) = random.matrix(n_moving, n_algebraic);
  ordered.K.bottomLeftCorner(n_algebraic, n_moving) =
      ordered.K.topRightCorner(n_moving, n_algebraic).transpose();

  const std::vector<Index> place = random.permutation(n);
  const auto permuted = [&](const MultiVector& A) { return MultiVector(A(place, place)); };
  return {permuted(ordered.M), permuted(ordered.C), permuted(ordered.K)};
}

DenseSystem turned(const DenseSystem& system, const MultiVector& L, const MultiVector& Q) {
  return {L * system.M * Q, L * system.C * Q, L * system.K * Q};
}

DenseElimination dense_elimination(const DenseSystem& system) {
  DenseElimination e;
  for (Index j = 0; j < system.size(); ++j)
    (!system.M.col(j).isZero(0) ? e.I : !system.C.col(j).isZero(0) ? e.C : e.K).push_back(j);
  e.D.resize(system.size(), system.size());
  e.D << system.M(Eigen::all, e.I), system.C(Eigen::all, e.C), system.K(Eigen::all, e.K);
  return e;
}

MultiVector dense_state_matrix_of(const DenseSystem& system) {
  const DenseElimination e = dense_elimination(system);
  const auto n_I = static_cast<Index>(e.I.size()), n_C = static_cast<Index>(e.C.size());
  MultiVector A = MultiVector::Zero(2 * n_I + n_C, 2 * n_I + n_C);
  if (A.size() == 0) return A;
  MultiVector right(system.size(), A.cols());
  right << system.K(Eigen::all, e.I), system.K(Eigen::all, e.C), system.C(Eigen::all, e.I);
  const MultiVector X = -e.D.fullPivLu().solve(right);
  A.topRightCorner(n_I, n_I).setIdentity();
  A.middleRows(n_I, n_C) = X.middleRows(n_I, n_C);
  A.bottomRows(n_I) = X.topRows(n_I);
  return A;
}

}  // namespace halfdof::test
