// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "nonlinear_models.h"
#include "nonsmooth_models.h"
#include <utility>
#include <vector>

/// Inclusions on systems with a state force.
namespace halfdof::test {

inline DenseSystem one_mass(double m, double c, double k) {
  return {MultiVector::Constant(1, 1, m), MultiVector::Constant(1, 1, c), MultiVector::Constant(1, 1, k)};
}

struct NonlinearModel {
  Inclusions<EigenEngine> inclusions;
  InclusionOutcome outcome;

  NonlinearModel(const AssembledSystem<EigenEngine>& assembled, std::vector<Inclusion> given)
      : NonlinearModel(reduce(assembled), std::move(given)) {}
  NonlinearModel(const ReducedSystem<EigenEngine>& reduced, std::vector<Inclusion> given)
      : inclusions(reduced, std::move(given)), outcome(classify_inclusions(inclusions)) {}
  NonsmoothState start(const Vector& q, const Vector& v) const {
    return nonsmooth_start(inclusions, outcome, q, v);
  }
  Vector displacement(const NonsmoothState& state) const {
    return inclusions.lift(state, state.r).displacement;
  }
};

}  // namespace halfdof::test
