// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include "eigen_systems.h"
#include "spectrum/spectra.h"

/// Reduced systems of this room's tests, on one process.
namespace halfdof::test {

inline ReducedSystem<EigenEngine> reduced(const DenseSystem& system, const ReductionOptions& options = {}) {
  return reduce(assemble<EigenEngine>(system), options);
}

inline ReducedSystem<EigenEngine> reduced(const SparseSystem& system) {
  return reduce(assembled_system<EigenEngine>(EigenMatrix(system.M()), EigenMatrix(system.C()),
                                              EigenMatrix(system.K())));
}

inline ReductionOptions with_null_tolerance(double tolerance) {
  ReductionOptions options;
  options.classification.null_tolerance = tolerance;
  return options;
}

/// Identity mass; damping and stiffness as given.
inline DenseSystem with_unit_masses(const MultiVector& C, const MultiVector& K) {
  return {MultiVector::Identity(K.rows(), K.rows()), C, K};
}

/// A mass of one and one of a thousandth on springs: with a tolerance of a hundredth the second one's column
/// is dropped, and its spring becomes algebraic.
inline DenseSystem light_and_heavy_mass() {
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector(2, 2)};
  system.M.diagonal() << 1, 1e-3;
  system.K << 2, -1, -1, 2;
  return system;
}

}  // namespace halfdof::test
