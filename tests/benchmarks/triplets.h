// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>

#include <vector>

namespace halfdof::benchmark {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// n x n; entries that stand twice add up, and those that cancel are none.
inline EigenMatrix matrix_of(const Triplets& entries, Index n) {
  EigenMatrix::Storage A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  A.prune([](Index, Index, double value) { return value != 0; });
  return EigenMatrix(std::move(A));
}

}  // namespace halfdof::benchmark
