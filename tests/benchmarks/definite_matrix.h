// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>

#include <cmath>

namespace halfdof::benchmark {

/// |a_ij| with minus off the diagonal, and a diagonal that dominates.
inline EigenMatrix definite_of_same_pattern(const EigenMatrix& A) {
  EigenMatrix::Storage result = A.entries();
  Vector sums = Vector::Zero(result.cols());
  for (Index j = 0; j < result.cols(); ++j)
    for (EigenMatrix::Storage::InnerIterator entry(result, j); entry; ++entry) {
      entry.valueRef() = -std::abs(entry.value());
      sums[j] -= entry.value();
    }
  for (Index j = 0; j < result.cols(); ++j)
    result.coeffRef(j, j) = 1.1 * sums[j];
  return EigenMatrix(std::move(result));
}

}  // namespace halfdof::benchmark
