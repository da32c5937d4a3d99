#pragma once

#include <halfdof/reduction/reduced_system.h>

#include "eigen_systems.h"
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Small systems with state forces of closed form.
namespace halfdof::test {

/// A link from one DoF to another, or to the ground (-1): q_i - q_j = x, pushed back by k x^3 + d x'|x'|.
struct NonlinearLink {
  Index i, j;
  double cubic = 0, quadratic = 0;
};

/// An inertia m (1 + a q^2) beside that of M, on one DoF: p = m a q^2 q'' + m a q q'^2 keeps its kinetic energy.
struct VariableInertia {
  Index dof;
  double m_a;
};

struct NonlinearParts {
  std::vector<NonlinearLink> links;
  std::vector<VariableInertia> inertias;
};

inline StateForce<EigenEngine> state_force(const NonlinearParts& parts, Index n) {
  const auto column = [n](const NonlinearLink& link) {
    Vector b = Vector::Unit(n, link.i);
    if (link.j >= 0) b[link.j] = -1;
    return b;
  };
  StateForce<EigenEngine> p;
  p.time_derivative = p.independent_of_time;
  p.force = [=](double, const LiftedState& now) {
    Vector force = Vector::Zero(n);
    for (const NonlinearLink& link : parts.links) {
      const Vector b = column(link);
      const double x = b.dot(now.displacement), v = b.dot(now.rate);
      force += (link.cubic * x * x * x + link.quadratic * v * std::abs(v)) * b;
    }
    for (const VariableInertia& inertia : parts.inertias) {
      const double q = now.displacement[inertia.dof], v = now.rate[inertia.dof];
      force[inertia.dof] += inertia.m_a * (q * q * now.acceleration[inertia.dof] + q * v * v);
    }
    return force;
  };
  p.tangents = [=](double, const LiftedState& now) {
    MultiVector M = MultiVector::Zero(n, n), C = M, K = M;
    for (const NonlinearLink& link : parts.links) {
      const Vector b = column(link);
      const double x = b.dot(now.displacement), v = b.dot(now.rate);
      K += 3 * link.cubic * x * x * b * b.transpose();
      C += 2 * link.quadratic * std::abs(v) * b * b.transpose();
    }
    for (const VariableInertia& inertia : parts.inertias) {
      const double q = now.displacement[inertia.dof], v = now.rate[inertia.dof],
                   a = now.acceleration[inertia.dof];
      M(inertia.dof, inertia.dof) += inertia.m_a * q * q;
      C(inertia.dof, inertia.dof) += inertia.m_a * 2 * q * v;
      K(inertia.dof, inertia.dof) += inertia.m_a * (2 * q * a + v * v);
    }
    return Tangents<EigenEngine>{matrix_of<EigenEngine>(M), matrix_of<EigenEngine>(C),
                                 matrix_of<EigenEngine>(K)};
  };
  MultiVector M = MultiVector::Zero(n, n), C = M;
  for (const NonlinearLink& link : parts.links)
    if (link.quadratic != 0) C += (column(link) * column(link).transpose()).cwiseAbs();
  for (const VariableInertia& inertia : parts.inertias)
    M(inertia.dof, inertia.dof) = C(inertia.dof, inertia.dof) = 1;
  p.pattern.mass = matrix_of<EigenEngine>(M);
  p.pattern.damping = matrix_of<EigenEngine>(C);
  return p;
}

inline AssembledSystem<EigenEngine> assemble(const DenseSystem& system, const NonlinearParts& parts,
                                             TimeFunction load = {}, TimeFunction load_rate = {}) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = std::move(load);
  description.load_rate = std::move(load_rate);
  description.state_force = state_force(parts, system.size());
  return AssembledSystem<EigenEngine>(std::move(description));
}

/// A mass on a hardening rubber: q_0 with mass; q_1 viscous, between a spring from q_0 and a damper of oil, linear and
/// quadratic, to the ground; q_2 algebraic, between a spring from q_0 and a hardening one to the ground.
struct HardeningMount {
  DenseSystem linear{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  NonlinearParts parts{{{0, -1, 40., 0.}, {1, -1, 0., 0.7}, {2, -1, 300., 0.}}, {{0, 0.5}}};

  HardeningMount() {
    linear.M(0, 0) = 2;
    linear.C(1, 1) = 0.3;
    linear.C(0, 0) = 0.05;
    linear.K << 8 + 5 + 12, -5, -12,  //
        -5, 5, 0,                     //
        -12, 0, 12 + 2;
  }
  AssembledSystem<EigenEngine> assembled() const {
    return assemble(linear, parts, [](double t) {
      Vector f = Vector::Zero(3);
      f << 6 * std::sin(2 * t), 1., 4 * std::cos(3 * t);
      return f;
    });
  }
  /// What is left of the three equations.
  Vector residual(double time, const LiftedState& now) const {
    Vector f(3);
    f << 6 * std::sin(2 * time), 1., 4 * std::cos(3 * time);
    const Vector p = state_force(parts, 3).force(time, now);
    return linear.M * now.acceleration + linear.C * now.rate + linear.K * now.displacement + p - f;
  }
};

/// A spring from a mass to a node without one, which hangs on springs to the ground: 5 q_1 + (4 + t) q_1^3 = 3 q_0 +
/// sin t + r.
struct StiffeningSprings {
  SystemDescription<EigenEngine> description() const {
    MultiVector M = MultiVector::Zero(2, 2), K(2, 2);
    M(0, 0) = 1;
    K << 3, -3, -3, 3 + 2;
    SystemDescription<EigenEngine> description;
    description.mass = matrix_of<EigenEngine>(M);
    description.stiffness = matrix_of<EigenEngine>(K);
    description.load = [](double t) -> Vector { return Vector::Unit(2, 1) * std::sin(t); };
    description.load_rate = [](double t) -> Vector { return Vector::Unit(2, 1) * std::cos(t); };
    StateForce<EigenEngine>& p = description.state_force;
    const auto cube = [](const LiftedState& now) { return std::pow(now.displacement[1], 3); };
    p.force = [cube](double t, const LiftedState& now) -> Vector {
      return Vector::Unit(2, 1) * (4 + t) * cube(now);
    };
    p.time_derivative = [cube](double, const LiftedState& now) -> Vector {
      return Vector::Unit(2, 1) * cube(now);
    };
    p.tangents = [](double t, const LiftedState& now) {
      MultiVector tangent = MultiVector::Zero(2, 2);
      tangent(1, 1) = 3 * (4 + t) * now.displacement[1] * now.displacement[1];
      return Tangents<EigenEngine>{{}, {}, matrix_of<EigenEngine>(tangent)};
    };
    return description;
  }
  /// q_1'
  double rate(double t, double q_1, double v_0, double r_rate) const {
    return (3 * v_0 + std::cos(t) + r_rate - q_1 * q_1 * q_1) / (5 + 3 * (4 + t) * q_1 * q_1);
  }
};

}  // namespace halfdof::test
