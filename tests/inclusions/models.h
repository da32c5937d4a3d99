// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/outcome.h>

#include "eigen_systems.h"
#include <memory>
#include <string>
#include <vector>

/// Laws and small models for the tests of this room.
namespace halfdof::test {

/// A user's law: friction that grows with the rate, but has no potential that is positively homogeneous.
class RateDependent : public IntervalLaw {
 public:
  std::string name() const override { return "rate-dependent friction"; }
  LawLevel level(Index) const override { return LawLevel::rate; }
  bool is_positively_homogeneous() const override { return false; }
  LawParameters parameters(double, ContactState) const override { return {-1., 1.}; }
};

inline std::shared_ptr<const Law> friction(double lower = -1., double upper = 2.,
                                           ScalarFunction support = 0.) {
  return std::make_shared<const DryFriction>(lower, upper, std::move(support));
}
inline std::shared_ptr<const Law> contact(ScalarFunction obstacle = 0.,
                                          std::optional<double> e = std::nullopt) {
  return std::make_shared<const UnilateralContact>(std::move(obstacle), e);
}
/// Friction from 1 at rest to nothing, with the steepest decrease l.
inline std::shared_ptr<const Law> weakening(double l) {
  return std::make_shared<const WeakeningFriction>(FrictionCurve::exponential(1., 0., 1. / l));
}

inline Direction on(GlobalIndex dof, double weight = 1.) {
  return Direction({{dof, weight}});
}

/**
 * A chain on the ground with one DoF of each kind and one that is constrained:
 *
 *     ground (3) --k=2, c=5-- mass m=4 (0) --c=2-- viscous (1) --k=3-- ground
 *                             mass (0) --k=10-- algebraic (2) --k=6-- ground (3)
 *
 * W_I = 1/4, W_C = 1/2, W_K = 1/16.
 */
inline DenseSystem one_of_each() {
  DenseSystem system{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  const auto add = [](MultiVector& A, Index i, Index j, double value) {
    A(i, i) += value;
    A(j, j) += value;
    A(i, j) -= value;
    A(j, i) -= value;
  };
  system.M(0, 0) = 4;
  add(system.C, 0, 3, 5);
  add(system.C, 0, 1, 2);
  add(system.K, 0, 3, 2);
  add(system.K, 1, 3, 3);
  add(system.K, 0, 2, 10);
  add(system.K, 2, 3, 6);
  return system;
}

inline SystemDescription<EigenEngine> describe(const DenseSystem& system,
                                               std::vector<Index> constrained = {}) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = std::move(constrained);
  return description;
}

inline ReducedSystem<EigenEngine> reduced(const SystemDescription<EigenEngine>& description) {
  return reduce(AssembledSystem<EigenEngine>(description));
}

/// The chain above, its last DoF held.
inline ReducedSystem<EigenEngine> reduced_one_of_each() {
  return reduced(describe(one_of_each(), {3}));
}

inline Inclusions<EigenEngine> with(const ReducedSystem<EigenEngine>& system,
                                    std::vector<Inclusion> inclusions) {
  return Inclusions<EigenEngine>(system, std::move(inclusions));
}

/// The one outcome of one scalar inclusion in the chain above.
inline DirectionOutcome outcome_of(std::shared_ptr<const Law> law, Direction direction) {
  return classify_inclusions(
             with(reduced_one_of_each(), {inclusion("it", std::move(law), std::move(direction))}))
      .directions.front();
}

/// Largest difference relative to the largest expected entry.
inline double relative_error(const MultiVector& found, const MultiVector& expected) {
  return (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

}  // namespace halfdof::test
