// SPDX-License-Identifier: LGPL-2.1-or-later
#include "exact_solution.h"

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

namespace halfdof::test {

ExactSolution::ExactSolution(const DenseSystem& system, const HarmonicLoad& load, const State& initial)
    : system_(system), load_(load), initial_(initial), elimination_(dense_elimination(system)) {
  const auto n_s = initial.y.size();
  const auto n_I = static_cast<Index>(elimination_.I.size()), n_C = static_cast<Index>(elimination_.C.size());
  MultiVector loads(system.size(), 3);
  loads << load.constant, load.cosine, load.sine;
  const MultiVector x = elimination_.D.fullPivLu().solve(loads);
  generator_ = MultiVector::Zero(n_s + 3, n_s + 3);
  generator_.topLeftCorner(n_s, n_s) = dense_state_matrix_of(system);
  generator_.block(n_I, n_s, n_C, 3) = x.middleRows(n_I, n_C);
  generator_.block(n_I + n_C, n_s, n_I, 3) = x.topRows(n_I);
  generator_(n_s + 1, n_s + 2) = -load.omega;
  generator_(n_s + 2, n_s + 1) = load.omega;
}

Vector ExactSolution::state(double time) const {
  const auto n_s = initial_.y.size();
  Vector extended(n_s + 3);
  extended << initial_.y, 1, std::cos(load_.omega * initial_.time), std::sin(load_.omega * initial_.time);
  const MultiVector exponent = generator_ * (time - initial_.time);
  return (exponent.exp() * extended).head(n_s);
}

Vector ExactSolution::displacement(double time) const {
  const auto& [I, C, K, D] = elimination_;
  const auto n_I = static_cast<Index>(I.size()), n_C = static_cast<Index>(C.size());
  const Vector y = state(time);
  const Vector q_I = y.head(n_I), q_C = y.segment(n_I, n_C), v_I = y.tail(n_I);
  const Vector x = D.fullPivLu().solve(load_(time) - system_.C(Eigen::all, I) * v_I -
                                       system_.K(Eigen::all, I) * q_I - system_.K(Eigen::all, C) * q_C);
  Vector q(system_.size());
  q(I) = q_I;
  q(C) = q_C;
  q(K) = x.tail(static_cast<Index>(K.size()));
  return q;
}

}  // namespace halfdof::test
