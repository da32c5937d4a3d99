// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>

#include "systems.h"

namespace halfdof::test {

/// Keeps only the entries that are not zero.
template <>
inline EigenMatrix matrix_of<EigenEngine>(const MultiVector& dense) {
  return EigenMatrix(EigenMatrix::Storage(dense.sparseView(0., 0.)));
}

/// Stores every entry, zeros too, as an assembled matrix does.
inline EigenMatrix with_stored_zeros(const MultiVector& dense) {
  EigenMatrix::Storage all = MultiVector(MultiVector::Ones(dense.rows(), dense.cols())).sparseView();
  std::copy(dense.data(), dense.data() + dense.size(), all.valuePtr());
  return EigenMatrix(std::move(all));
}

}  // namespace halfdof::test
