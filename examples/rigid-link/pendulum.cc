// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pendulum.h"

#include <Eigen/Eigenvalues>

#include <cmath>

using namespace halfdof;

namespace {

/// Returns the function amplitude sin(rate t + phase) for the uppermost rod, and zeros for all other rods.
TimeFunction of_support(Index n_rods, double amplitude, double rate, double phase) {
  return [=](double time) -> Vector {
    return amplitude * std::sin(rate * time + phase) * Vector::Unit(n_rods, 0);
  };
}

}  // namespace

AssembledSystem<EigenEngine> Pendulum::assemble(bool with_redundant_rod) const {
  const Index n_rods = n + (with_redundant_rod ? 1 : 0);
  MultiVector M = m * MultiVector::Identity(2 * n, 2 * n), across_rods = MultiVector::Zero(n, n),
              along_rods = MultiVector::Zero(n_rods, n);
  for (Index i = 0; i < n; ++i) {
    const double stiffness = (n - i) * m * g / l;
    across_rods(i, i) += stiffness;
    along_rods(i, i) = 1;
    if (i == 0) continue;
    across_rods(i - 1, i - 1) += stiffness;
    across_rods(i - 1, i) = across_rods(i, i - 1) = -stiffness;
    along_rods(i, i - 1) = -1;
  }
  if (with_redundant_rod) {
    along_rods(n, 2) = 1;
    along_rods(n, 0) = -1;
  }
  // x_i = c q_2i - s q_2i+1, z_i = s q_2i + c q_2i+1
  MultiVector X = MultiVector::Zero(n, 2 * n), Z = X;
  for (Index i = 0; i < n; ++i) {
    X.row(i).segment(2 * i, 2) << std::cos(angle), -std::sin(angle);
    Z.row(i).segment(2 * i, 2) << std::sin(angle), std::cos(angle);
  }
  SystemDescription<EigenEngine> description;
  description.mass = EigenMatrix(M.sparseView(0, 0));
  description.stiffness = EigenMatrix(MultiVector(X.transpose() * across_rods * X).sparseView(0, 0));

  description.labels.component_names = {"first axis", "second axis"};
  for (Index i = 0; i < 2 * n; ++i)
    description.labels.component.push_back(i % 2);

  AdditionalConstraints<EigenEngine> rods;
  rods.position = EigenMatrix(MultiVector(along_rods * Z).sparseView(0, 0));
  const double quarter = std::acos(0.);
  rods.right_side = {of_support(n_rods, h, Omega, 0),
                     of_support(n_rods, h * Omega, Omega, quarter),
                     of_support(n_rods, h * Omega * Omega, Omega, 2 * quarter),
                     {}};
  for (Index i = 0; i < n; ++i)
    rods.names.push_back("rod " + std::to_string(i));
  if (with_redundant_rod) rods.names.push_back("rod from mass 0 to mass 2");
  return AssembledSystem<EigenEngine>(with_constraints(description, rods));
}

Vector Pendulum::coordinates_of(const Vector& x, const Vector& z) const {
  Vector q(2 * n);
  for (Index i = 0; i < n; ++i)
    q.segment(2 * i, 2) << std::cos(angle) * x[i] + std::sin(angle) * z[i],
        -std::sin(angle) * x[i] + std::cos(angle) * z[i];
  return q;
}

Vector Pendulum::across(const Vector& q) const {
  Vector x(n);
  for (Index i = 0; i < n; ++i)
    x[i] = std::cos(angle) * q[2 * i] - std::sin(angle) * q[2 * i + 1];
  return x;
}

Vector Pendulum::along(const Vector& q) const {
  Vector z(n);
  for (Index i = 0; i < n; ++i)
    z[i] = std::sin(angle) * q[2 * i] + std::cos(angle) * q[2 * i + 1];
  return z;
}

std::vector<double> Pendulum::frequencies() const {
  // The zeros are the eigenvalues of the Jacobi matrix (Golub and Welsch, 1969) with the diagonal 1, 3, 5,
  // ... and the off-diagonal 1, 2, 3, ...
  MultiVector J = MultiVector::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    J(i, i) = 2. * i + 1;
    if (i > 0) J(i, i - 1) = J(i - 1, i) = i;
  }
  const Vector zeros = Eigen::SelfAdjointEigenSolver<MultiVector>(J).eigenvalues();
  std::vector<double> omega;
  for (const double x : zeros)
    omega.push_back(std::sqrt(g / l * x));
  return omega;
}

double Pendulum::force_of_rod(int i, double time) const {
  return -(n - i) * m * -h * Omega * Omega * std::sin(Omega * time);
}
