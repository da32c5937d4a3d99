// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/traits.h>

#include <functional>

namespace halfdof {

/// The derivatives of a state force p, as matrices of the application. A null pointer means a zero matrix.
template <class MatrixType>
struct DealIITangents {
  const MatrixType* mass = nullptr;       ///< dp/dq''
  const MatrixType* damping = nullptr;    ///< dp/dq'
  const MatrixType* stiffness = nullptr;  ///< dp/dq
};

/**
 * Forces p(q, q', q'', t) in addition to M q'' + C q' + K q, which the application assembles (see
 * StateForce), for DealIIOptions::state_force. Forces and tangents must be assembled with constraints if the
 * matrices are assembled with constraints, and without otherwise (MatrixForm): if the matrices are condensed,
 * forces on hanging nodes are refused (InvalidInput).
 */
template <class MatrixType>
struct DealIIStateForce {
  using VectorType = typename DealIITraits<MatrixType>::VectorType;
  /// Fields of the application, with constraints distributed, without ghost entries.
  struct Fields {
    double time = 0;  ///< [s]
    VectorType displacement, rate, acceleration;
  };

  std::function<VectorType(const Fields&)> force;  ///< returns p
  /// Returns the tangents; the matrices are copied before the next call.
  std::function<DealIITangents<MatrixType>(const Fields&)> tangents;
  /// Matrices with a nonzero entry at each position at which the mass and the damping of tangents may have a
  /// nonzero entry.
  DealIITangents<MatrixType> pattern;
  /// Returns dp/dt at constant q, q' and q''. This derivative is needed only for the rates of algebraic DoFs.
  /// Set the function to independent_of_time() if p does not depend explicitly on time.
  std::function<VectorType(const Fields&)> time_derivative = {};

  /// Returns zero: a time_derivative for forces that do not depend on time explicitly.
  static VectorType independent_of_time(const Fields& now) {
    VectorType zero = now.displacement;
    zero = 0.;
    return zero;
  }
};

}  // namespace halfdof
