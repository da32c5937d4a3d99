// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mount.h"

#include <cmath>

using namespace halfdof;

namespace {

EigenMatrix sparse(const MultiVector& dense) {
  return EigenMatrix(dense.sparseView(0, 0));
}

/// Adds a spring or damper with the coefficient a between the nodes i and j.
void connect(MultiVector& A, Index i, Index j, double a) {
  A(i, i) += a;
  A(j, j) += a;
  A(i, j) -= a;
  A(j, i) -= a;
}

/// Returns an n x n matrix whose only nonzero entry is the diagonal entry i.
MultiVector with_single_entry(Index n, Index i, double value) {
  MultiVector A = MultiVector::Zero(n, n);
  A(i, i) = value;
  return A;
}

}  // namespace

double HardeningMount::load(double time) const {
  return -weight + F * std::sin(Omega * time);
}

double HardeningMount::tangent_damping(double v_2) const {
  return 2 * D_h * std::abs(v_2);
}

Vector HardeningMount::forces(const Vector& q, const Vector& v) const {
  const double rubber = C_rs * (v[0] - v[1]), chamber = K_v * (q[0] - q[2]), stop = K_b * (q[0] - q[3]);
  const double oil = C_h * v[2] + D_h * v[2] * std::abs(v[2]);
  Vector forces(4);
  forces << K_r * q[0] + rubber + chamber + stop, K_rs * q[1] - rubber, K_s * q[2] + oil - chamber,
      K_stop * q[3] + K_3 * q[3] * q[3] * q[3] - stop;
  return forces;
}

Complex HardeningMount::dynamic_stiffness(double omega, double y_3) const {
  const auto in_series = [](Complex a, Complex b) { return a * b / (a + b); };
  const Complex s(0, omega);
  return K_r + in_series(s * C_rs, K_rs) + in_series(K_v, K_s + s * C_h) +
         in_series(K_b, K_stop + tangent_stiffness(y_3));
}

StateForce<EigenEngine> HardeningMount::state_force() const {
  StateForce<EigenEngine> p;
  p.force = [*this](double, const AssembledMotion& now) {
    const double v_2 = now.rate[2], y_3 = now.displacement[3];
    Vector forces = Vector::Zero(4);
    forces[2] = D_h * v_2 * std::abs(v_2);
    forces[3] = K_3 * y_3 * y_3 * y_3;
    return forces;
  };
  p.tangents = [*this](double, const AssembledMotion& now) {
    return Tangents<EigenEngine>{{},
                                 sparse(with_single_entry(4, 2, tangent_damping(now.rate[2]))),
                                 sparse(with_single_entry(4, 3, tangent_stiffness(now.displacement[3])))};
  };
  p.pattern.damping = sparse(with_single_entry(4, 2, 1));
  return p;
}

AssembledSystem<EigenEngine> HardeningMount::assemble_under(double constant) const {
  HardeningMount still = *this;
  still.weight = -constant;
  still.F = 0;
  return still.assemble();
}

AssembledSystem<EigenEngine> HardeningMount::assemble() const {
  MultiVector C = with_single_entry(4, 2, C_h), K = MultiVector::Zero(4, 4);
  connect(C, 0, 1, C_rs);
  K.diagonal() << K_r, K_rs, K_s, K_stop;
  connect(K, 0, 2, K_v);
  connect(K, 0, 3, K_b);
  SystemDescription<EigenEngine> description;
  description.mass = sparse(with_single_entry(4, 0, m));
  description.damping = sparse(C);
  description.stiffness = sparse(K);
  description.load = [*this](double time) { return Vector(load(time) * Vector::Unit(4, 0)); };
  description.state_force = state_force();
  description.labels.component_names = {"mass y", "rubber node y_1", "oil node y_2", "stop node y_3"};
  description.labels.component = {0, 1, 2, 3};
  return AssembledSystem<EigenEngine>(std::move(description));
}
