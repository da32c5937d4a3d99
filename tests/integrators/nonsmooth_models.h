#pragma once

#include <halfdof/inclusions/dry_friction.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/inclusions/unilateral_contact.h>
#include <halfdof/integrators/nonsmooth_start.h>

#include "eigen_systems.h"
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Small models with inclusions, and what every test of their integrators does.
namespace halfdof::test {

inline std::shared_ptr<const Law> friction(ScalarFunction lower, ScalarFunction upper,
                                           ScalarFunction support = 0.) {
  return std::make_shared<const DryFriction>(std::move(lower), std::move(upper), std::move(support));
}
inline std::shared_ptr<const Law> contact(ScalarFunction obstacle = 0.,
                                          std::optional<double> e = std::nullopt) {
  return std::make_shared<const UnilateralContact>(std::move(obstacle), e);
}
inline Direction on(GlobalIndex dof, double weight = 1.) {
  return Direction({{dof, weight}});
}

/// Springs and dampers between DoFs, or a DoF and the ground.
inline void connect(MultiVector& A, Index i, Index j, double value) {
  A(i, i) += value;
  A(j, j) += value;
  A(i, j) -= value;
  A(j, i) -= value;
}
inline DenseSystem empty_system(Index n) {
  return {MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
}

/// Assembled, reduced, with inclusions, and what has become of them.
template <class Engine = EigenEngine>
struct NonsmoothModel {
  Inclusions<Engine> inclusions;
  InclusionOutcome outcome;

  NonsmoothModel(const DenseSystem& system, std::vector<Inclusion> given, TimeFunction load = {},
                 std::vector<Index> constrained = {}, TimeFunction motion = {}, TimeFunction motion_rate = {})
      : inclusions(reduced(system, std::move(load), std::move(constrained), std::move(motion),
                           std::move(motion_rate)),
                   std::move(given)),
        outcome(what_becomes(inclusions)) {}

  static ReducedSystem<Engine> reduced(const DenseSystem& system, TimeFunction load,
                                       std::vector<Index> constrained, TimeFunction motion,
                                       TimeFunction motion_rate) {
    SystemDescription<Engine> description;
    description.mass = matrix_of<Engine>(system.M);
    description.damping = matrix_of<Engine>(system.C);
    description.stiffness = matrix_of<Engine>(system.K);
    description.load = std::move(load);
    description.constrained = std::move(constrained);
    description.prescribed.value = std::move(motion);
    description.prescribed.rate = std::move(motion_rate);
    return reduce(AssembledSystem<Engine>(std::move(description)));
  }

  NonsmoothState start(const Vector& displacement, const Vector& rate, double time = 0) const {
    return nonsmooth_start(inclusions, outcome, displacement, rate, time);
  }
  NonsmoothState at_rest() const {
    const auto n = static_cast<Index>(inclusions.reduced().assembled().n_dofs());
    return start(Vector::Zero(n), Vector::Zero(n));
  }
  Vector displacement(const NonsmoothState& state) const {
    return inclusions.lift(state, state.r).displacement;
  }
};

/// One DoF: mass m, damping c, stiffness k (each may be zero) under a constant load.
inline NonsmoothModel<> one_dof(double m, double c, double k, std::shared_ptr<const Law> law,
                                double load = 0) {
  DenseSystem system = empty_system(1);
  system.M(0, 0) = m;
  system.C(0, 0) = c;
  system.K(0, 0) = k;
  return NonsmoothModel<>(system, {inclusion("it", std::move(law), on(0))},
                          [load](double) { return Vector::Constant(1, load); });
}
inline Vector one(double value) {
  return Vector::Constant(1, value);
}

/// log2 of the ratio of the errors of a step and of half of it.
template <class ErrorOf>
double observed_order(const ErrorOf& error_of, double step) {
  return std::log2(error_of(step) / error_of(step / 2));
}

}  // namespace halfdof::test
