#pragma once

#include <halfdof/dealii/traits.h>

#include <functional>

namespace halfdof {

/// Tangents in the application's matrices; null: zero.
template <class MatrixType>
struct DealIITangents {
  const MatrixType* mass = nullptr;       ///< dp/dq''
  const MatrixType* damping = nullptr;    ///< dp/dq'
  const MatrixType* stiffness = nullptr;  ///< dp/dq
};

/**
 * Forces p(q, q', q'', t) beside M q'' + C q' + K q, assembled by the application: see StateForce. Forces and
 * tangents are assembled with or without constraints as the matrices are (MatrixForm): forces on hanging
 * nodes beside condensed matrices are refused (InvalidInput). To be put into DealIIOptions::state_force.
 */
template <class MatrixType>
struct DealIIStateForce {
  using VectorType = typename DealIITraits<MatrixType>::VectorType;
  /// Fields of the application, constraints distributed, without ghost entries.
  struct Fields {
    double time = 0;  ///< [s]
    VectorType displacement, rate, acceleration;
  };

  std::function<VectorType(const Fields&)> force;
  /// The matrices are copied before the next call.
  std::function<DealIITangents<MatrixType>(const Fields&)> tangents;
  /// Matrices with an entry that is not zero wherever the mass and the damping of tangents may have one.
  DealIITangents<MatrixType> pattern;
  /// dp/dt of a motion that is held, needed only for the rates of algebraic DoFs: independent_of_time() where
  /// the motion alone tells p.
  std::function<VectorType(const Fields&)> time_derivative = {};

  /// Zero: a time_derivative.
  static VectorType independent_of_time(const Fields& now) {
    VectorType zero = now.displacement;
    zero = 0.;
    return zero;
  }
};

}  // namespace halfdof
