// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nonlinear_models.h"

#include <utility>

namespace halfdof::test {

namespace {

/// Entries of small matrices, added up.
class Entries {
 public:
  explicit Entries(Index n) : n_(n) {}

  void add(Index i, Index j, double value) { entries_.emplace_back(i, j, value); }
  /// value b b^T, b being the direction of a link.
  void add(const NonlinearLink& link, double value) {
    add(link.i, link.i, value);
    if (link.j < 0) return;
    add(link.j, link.j, value);
    add(link.i, link.j, -value);
    add(link.j, link.i, -value);
  }
  EigenMatrix matrix() const {
    Eigen::SparseMatrix<double> A(n_, n_);
    A.setFromTriplets(entries_.begin(), entries_.end());
    return EigenMatrix(A);
  }

 private:
  Index n_;
  std::vector<Eigen::Triplet<double>> entries_;
};

double between(const NonlinearLink& link, const Vector& q) {
  return q[link.i] - (link.j < 0 ? 0. : q[link.j]);
}

}  // namespace

StateForce<EigenEngine> state_force(const NonlinearParts& parts, Index n) {
  StateForce<EigenEngine> p;
  p.time_derivative = p.independent_of_time;
  p.force = [=](double, const AssembledMotion& now) {
    Vector force = Vector::Zero(n);
    for (const NonlinearLink& link : parts.links) {
      const double x = between(link, now.displacement), v = between(link, now.rate);
      const double pushed = link.cubic * x * x * x + link.quadratic * v * std::abs(v);
      force[link.i] += pushed;
      if (link.j >= 0) force[link.j] -= pushed;
    }
    for (const VariableInertia& inertia : parts.inertias) {
      const double q = now.displacement[inertia.dof], v = now.rate[inertia.dof];
      force[inertia.dof] += inertia.m_a * (q * q * now.acceleration[inertia.dof] + q * v * v);
    }
    return force;
  };
  p.tangents = [=](double, const AssembledMotion& now) {
    Entries M(n), C(n), K(n);
    for (const NonlinearLink& link : parts.links) {
      const double x = between(link, now.displacement), v = between(link, now.rate);
      K.add(link, 3 * link.cubic * x * x);
      C.add(link, 2 * link.quadratic * std::abs(v));
    }
    for (const VariableInertia& inertia : parts.inertias) {
      const double q = now.displacement[inertia.dof], v = now.rate[inertia.dof],
                   a = now.acceleration[inertia.dof];
      M.add(inertia.dof, inertia.dof, inertia.m_a * q * q);
      C.add(inertia.dof, inertia.dof, inertia.m_a * 2 * q * v);
      K.add(inertia.dof, inertia.dof, inertia.m_a * (2 * q * a + v * v));
    }
    return Tangents<EigenEngine>{M.matrix(), C.matrix(), K.matrix()};
  };
  Entries M(n), C(n);
  for (const NonlinearLink& link : parts.links)
    if (link.quadratic != 0) C.add(link, 1);
  for (const VariableInertia& inertia : parts.inertias) {
    M.add(inertia.dof, inertia.dof, 1);
    C.add(inertia.dof, inertia.dof, 1);
  }
  p.pattern.mass = M.matrix();
  p.pattern.damping = C.matrix();
  return p;
}

AssembledSystem<EigenEngine> assemble(const DenseSystem& system, const NonlinearParts& parts,
                                      TimeFunction load, TimeFunction load_rate) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = std::move(load);
  description.load_rate = std::move(load_rate);
  description.state_force = state_force(parts, system.size());
  return AssembledSystem<EigenEngine>(std::move(description));
}

namespace {

Vector load_on_mount(double t) {
  Vector f(3);
  f << 6 * std::sin(2 * t), 1., 4 * std::cos(3 * t);
  return f;
}

}  // namespace

AssembledSystem<EigenEngine> HardeningMount::assembled() const {
  return assemble(linear, parts, load_on_mount);
}

Vector HardeningMount::residual(double time, const AssembledMotion& now) const {
  const Vector p = state_force(parts, 3).force(time, now);
  return linear.M * now.acceleration + linear.C * now.rate + linear.K * now.displacement + p -
         load_on_mount(time);
}

SystemDescription<EigenEngine> StiffeningSprings::description() const {
  MultiVector M = MultiVector::Zero(2, 2), K(2, 2);
  M(0, 0) = 1;
  K << 3, -3, -3, 3 + 2;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(M);
  description.stiffness = matrix_of<EigenEngine>(K);
  description.load = [](double t) -> Vector { return Vector::Unit(2, 1) * std::sin(t); };
  description.load_rate = [](double t) -> Vector { return Vector::Unit(2, 1) * std::cos(t); };
  StateForce<EigenEngine>& p = description.state_force;
  const auto cube = [](const AssembledMotion& now) { return std::pow(now.displacement[1], 3); };
  p.force = [cube](double t, const AssembledMotion& now) -> Vector {
    return Vector::Unit(2, 1) * (4 + t) * cube(now);
  };
  p.time_derivative = [cube](double, const AssembledMotion& now) -> Vector {
    return Vector::Unit(2, 1) * cube(now);
  };
  p.tangents = [](double t, const AssembledMotion& now) {
    MultiVector tangent = MultiVector::Zero(2, 2);
    tangent(1, 1) = 3 * (4 + t) * now.displacement[1] * now.displacement[1];
    return Tangents<EigenEngine>{{}, {}, matrix_of<EigenEngine>(tangent)};
  };
  return description;
}

}  // namespace halfdof::test
