#pragma once

#include <halfdof/base/communicator.h>
#include <halfdof/base/types.h>

namespace halfdof {

/// Entry by entry. Several times faster than cwiseAbs(), which fears no overflow; entries below 1e-154 count
/// as zero.
template <class Derived>
auto moduli(const Eigen::MatrixBase<Derived>& x) {
  return x.derived().cwiseAbs2().cwiseSqrt();
}

/// Largest modulus in each column over all processes. Collective.
template <class Derived>
Vector largest_entries(const Communicator& communicator, const Eigen::MatrixBase<Derived>& x) {
  Vector largest = Vector::Zero(x.cols());
  if (x.rows() > 0) largest = x.cwiseAbs().colwise().maxCoeff().transpose();
  communicator.max(largest.data(), static_cast<int>(largest.size()));
  return largest;
}

/// Euclidean norm of each column over all processes. Collective.
inline Vector norms_of_columns(const Communicator& communicator, ConstView<Complex> x) {
  Vector squares = x.colwise().squaredNorm().transpose();
  communicator.sum(squares.data(), static_cast<int>(squares.size()));
  return squares.cwiseSqrt();
}

}  // namespace halfdof
