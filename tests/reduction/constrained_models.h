// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>
#include <halfdof/spectrum/compare_spectra.h>

#include "eigen_systems.h"
#include <algorithm>
#include <cmath>
#include <vector>

/// Systems with constraints beside them.
namespace halfdof::test {

/// A system with constraints beside it.
struct ConstrainedModel {
  DenseSystem system;
  MultiVector A_1, A_2;  ///< rows x DoFs
  Vector b;
  PrescribedMotion motion;
  TimeFunction load, load_rate;
  std::vector<Index> constrained;
  PrescribedMotion prescribed;

  SystemDescription<EigenEngine> description() const {
    SystemDescription<EigenEngine> plain;
    plain.mass = matrix_of<EigenEngine>(system.M);
    plain.damping = matrix_of<EigenEngine>(system.C);
    plain.stiffness = matrix_of<EigenEngine>(system.K);
    plain.load = load;
    plain.load_rate = load_rate;
    plain.constrained = constrained;
    plain.prescribed = prescribed;
    AdditionalConstraints<EigenEngine> constraints;
    if (A_1.size() > 0) constraints.rate = matrix_of<EigenEngine>(A_1);
    if (A_2.size() > 0) constraints.position = matrix_of<EigenEngine>(A_2);
    constraints.constant = b;
    constraints.right_side = motion;
    return with_constraints(plain, constraints);
  }
  AssembledSystem<EigenEngine> assembled() const { return AssembledSystem<EigenEngine>(description()); }
  ReducedSystem<EigenEngine> reduced(ReductionMethod method = ReductionMethod::automatic) const {
    ReductionOptions options;
    options.method = method;
    return reduce(assembled(), options);
  }
  /// Of the pencil with multipliers, infinite part deflated by a staircase.
  std::vector<Complex> exact_eigenvalues() const {
    const AssembledSystem<EigenEngine> all = assembled();
    const auto dense = [](const EigenMatrix& A) { return EigenEngine::to_dense(A); };
    return weierstrass_of(dense(all.M()), dense(all.C()), dense(all.K())).weierstrass.finite_eigenvalues();
  }
};

inline DenseSystem zero_system(Index n) {
  return {MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
}

/// One row for each list of numbers.
inline MultiVector rows(const std::vector<std::vector<double>>& given) {
  MultiVector A(static_cast<Index>(given.size()), static_cast<Index>(given[0].size()));
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.cols(); ++j)
      A(i, j) = given[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return A;
}

inline Vector numbers(const std::vector<double>& given) {
  return Eigen::Map<const Vector>(given.data(), static_cast<Index>(given.size()));
}

inline double farthest_from(const std::vector<Complex>& found, const std::vector<Complex>& expected) {
  double farthest = found.size() == expected.size() ? 0 : 1e300;
  for (const Complex value : expected) {
    double nearest = 1e300;
    for (const Complex other : found)
      nearest = std::min(nearest, std::abs(other - value));
    farthest = std::max(farthest, nearest / (1 + std::abs(value)));
  }
  return farthest;
}

inline std::vector<Complex> eigenvalues_of(const ReducedSystem<EigenEngine>& reduced) {
  return compare_all(reduced).after.finite;
}

/// What is left of the equations of all DoFs, multipliers and their constraints included.
inline double residual(const AssembledSystem<EigenEngine>& assembled, const AssembledMotion& lifted,
                       double time) {
  Vector rest = assembled.load(time);
  assembled.M().add_product(-1., lifted.acceleration, rest);
  assembled.C().add_product(-1., lifted.rate, rest);
  assembled.K().add_product(-1., lifted.displacement, rest);
  return Vector(rest(assembled.free().local())).cwiseAbs().maxCoeff();
}

/// Two masses on springs to the ground and to each other.
inline DenseSystem two_masses() {
  DenseSystem system = zero_system(2);
  system.M.diagonal() << 2, 3;
  system.C << 0.3, -0.1, -0.1, 0.2;
  system.K << 50, -20, -20, 70;
  return system;
}

/// A random system of 5 inertial, 2 viscous DoFs and an algebraic one, with random constraints on the
/// inertial DoFs alone, so that none meets a massless one: the first on displacements, the others on rates.
inline ConstrainedModel random_constrained(bool is_symmetric, Index n_position, Index n_velocity,
                                           unsigned seed) {
  RandomNumbers random(seed + 50);
  const Index n = 8, m = n_position + n_velocity;
  ConstrainedModel model;
  model.system = is_symmetric ? random_symmetric(5, 2, 1, seed) : random_unsymmetric(5, 2, 1, seed);
  model.A_1 = MultiVector::Zero(m, n);
  model.A_2 = random.matrix(m, n);
  model.A_1.bottomRows(n_velocity) = random.matrix(n_velocity, n);
  const DenseElimination kinds = dense_elimination(model.system);
  for (const auto* others : {&kinds.C, &kinds.K})
    for (const Index j : *others) {
      model.A_1.col(j).setZero();
      model.A_2.col(j).setZero();
    }
  return model;
}

/// b_0 + sin(t) b_1.
inline PrescribedMotion swinging(const Vector& b_0, const Vector& b_1) {
  return {[=](double t) { return Vector(b_0 + std::sin(t) * b_1); },
          [=](double t) { return Vector(std::cos(t) * b_1); },
          [=](double t) { return Vector(-std::sin(t) * b_1); },
          [=](double t) { return Vector(-std::cos(t) * b_1); }};
}

}  // namespace halfdof::test
