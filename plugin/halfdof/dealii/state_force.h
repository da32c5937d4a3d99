// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/traits.h>

#include <functional>

namespace halfdof {

/// The tangents, as matrices of the application. A null pointer means a zero matrix.
template <class MatrixType>
struct DealIITangents {
  const MatrixType* mass = nullptr;       ///< dp/dq''
  const MatrixType* damping = nullptr;    ///< dp/dq'
  const MatrixType* stiffness = nullptr;  ///< dp/dq
};

/**
 * Forces p(q, q', q'', t) in addition to M q'' + C q' + K q, assembled by the application: see StateForce.
 * Forces and tangents have to be assembled with or without constraints in accordance with the matrices
 * (MatrixForm): forces on hanging nodes are refused if the matrices are condensed (InvalidInput). For
 * DealIIOptions::state_force.
 */
template <class MatrixType>
struct DealIIStateForce {
  using VectorType = typename DealIITraits<MatrixType>::VectorType;
  /// Fields of the application, with constraints distributed, without ghost entries.
  struct Fields {
    double time = 0;  ///< [s]
    VectorType displacement, rate, acceleration;
  };

  std::function<VectorType(const Fields&)> force;
  /// Returns the tangents; the matrices are copied before the next call.
  std::function<DealIITangents<MatrixType>(const Fields&)> tangents;
  /// Matrices with a nonzero entry wherever the mass and the damping of tangents may have one.
  DealIITangents<MatrixType> pattern;
  /// dp/dt at constant q, q' and q''. It is needed only for the rates of algebraic DoFs. Set it to
  /// independent_of_time() if p does not depend explicitly on time.
  std::function<VectorType(const Fields&)> time_derivative = {};

  /// Returns zero: a time_derivative for forces that do not depend on time explicitly.
  static VectorType independent_of_time(const Fields& now) {
    VectorType zero = now.displacement;
    zero = 0.;
    return zero;
  }
};

}  // namespace halfdof
