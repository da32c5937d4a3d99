#pragma once

#include <halfdof/reduction/reduced_system.h>
#include <halfdof/spectrum/eigenvalue_scale.h>

namespace halfdof {

/// Operator 1-norm: the largest column sum. Collective.
template <class Engine>
double one_norm(const typename Engine::Matrix& A) {
  const Vector norms = Engine::column_norms(A);
  return A.columns().communicator().max(norms.size() > 0 ? norms.maxCoeff() : 0.);
}

/// A rate [1/s] typical of the free system, from norms alone. Collective.
template <class Engine>
double characteristic_rate(const FreeSystem<Engine>& system) {
  return characteristic_rate(one_norm<Engine>(system.M()), one_norm<Engine>(system.C()),
                             one_norm<Engine>(system.K()));
}

/// Euclidean norm of each column over all processes. Collective.
inline Vector norms_of_columns(const Communicator& communicator, ConstView<Complex> x) {
  Vector squares = x.colwise().squaredNorm().transpose();
  communicator.sum(squares.data(), static_cast<int>(squares.size()));
  return squares.cwiseSqrt();
}

}  // namespace halfdof
