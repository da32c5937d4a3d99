// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

namespace halfdof::internal {

/// Returns the modulus of each entry as the root of its square. The function is several times faster than
/// cwiseAbs(), but the squares may underflow or overflow: entries below about 1e-154 may become zero.
template <class Derived>
auto moduli(const Eigen::MatrixBase<Derived>& x) {
  return x.derived().cwiseAbs2().cwiseSqrt();
}

/// Returns the largest modulus of the entries of each column over all processes. Collective.
template <class Derived>
Vector largest_entries(const Communicator& communicator, const Eigen::MatrixBase<Derived>& x) {
  Vector largest = Vector::Zero(x.cols());
  if (x.rows() > 0) largest = x.cwiseAbs().colwise().maxCoeff().transpose();
  communicator.max(largest.data(), static_cast<int>(largest.size()));
  return largest;
}

/// Returns the Euclidean norm of each column over all processes. Collective.
inline Vector norms_of_columns(const Communicator& communicator, ConstView<Complex> x) {
  Vector squares = x.colwise().squaredNorm().transpose();
  communicator.sum(squares.data(), static_cast<int>(squares.size()));
  return squares.cwiseSqrt();
}

}  // namespace halfdof::internal
