// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include "eigen_systems.h"
#include <cmath>
#include <vector>

/// Small systems with state forces of closed form.
namespace halfdof::test {

/// A link from one DoF to another, or to the ground (-1): q_i - q_j = x, pushed back by k x^3 + d x'|x'|.
struct NonlinearLink {
  Index i, j;
  double cubic = 0, quadratic = 0;
};

/// An inertia m (1 + a q^2) beside that of M, on one DoF: p = m a q^2 q'' + m a q q'^2 keeps its kinetic
/// energy.
struct VariableInertia {
  Index dof;
  double m_a;
};

struct NonlinearParts {
  std::vector<NonlinearLink> links;
  std::vector<VariableInertia> inertias;
};

StateForce<EigenEngine> state_force(const NonlinearParts& parts, Index n);

AssembledSystem<EigenEngine> assemble(const DenseSystem& system, const NonlinearParts& parts,
                                      TimeFunction load = {}, TimeFunction load_rate = {});

/// A mass on a hardening rubber: q_0 with mass; q_1 viscous, between a spring from q_0 and a damper of oil,
/// linear and quadratic, to the ground; q_2 algebraic, between a spring from q_0 and a hardening one to the
/// ground.
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
  AssembledSystem<EigenEngine> assembled() const;
  /// What is left of the three equations.
  Vector residual(double time, const AssembledMotion& now) const;
};

/// A spring from a mass to a node without one, which hangs on springs to the ground: 5 q_1 + (4 + t) q_1^3 =
/// 3 q_0 + sin t + r.
struct StiffeningSprings {
  SystemDescription<EigenEngine> description() const;
  /// q_1'
  double rate(double t, double q_1, double v_0, double r_rate) const {
    return (3 * v_0 + std::cos(t) + r_rate - q_1 * q_1 * q_1) / (5 + 3 * (4 + t) * q_1 * q_1);
  }
};

}  // namespace halfdof::test
