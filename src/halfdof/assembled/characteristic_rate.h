#pragma once

#include <halfdof/assembled/free_system.h>

namespace halfdof {

/**
 * A rate [1/s] typical of @f$ \lambda^2 M + \lambda C + K @f$, from norms alone:
 * @f$\sqrt{\|K\| / \|M\|}@f$, or what remains of it where a matrix is zero (@f$\|K\| / \|C\|@f$ without mass,
 * @f$\|C\| / \|M\|@f$ without stiffness, one without both).
 */
double characteristic_rate(double norm_M, double norm_C, double norm_K);

/// Operator 1-norm: the largest column sum. Collective.
template <class Engine>
double one_norm(const typename Engine::Matrix& A) {
  const Vector norms = Engine::column_norms(A);
  return A.columns().communicator().max(norms.size() > 0 ? norms.maxCoeff() : 0.);
}

/// A rate [1/s] typical of the free system, from norms alone, of rows and columns that M touches (C where
/// there is no mass): algebraic DoFs have units of their own and take no part. Collective.
template <class Engine>
double characteristic_rate(const FreeSystem<Engine>& system) {
  using Matrix = typename Engine::Matrix;
  const double norm_M = one_norm<Engine>(system.M());
  const Matrix& leading = norm_M > 0 ? system.M() : system.C();
  const auto touched = [](const Vector& norms) {
    return Vector((norms.array() > 0).template cast<double>());
  };
  const Vector rows = touched(Engine::row_norms(leading)), columns = touched(Engine::column_norms(leading));
  const auto norm_there = [&](const Matrix& A) { return one_norm<Engine>(Engine::scaled(A, rows, columns)); };
  return characteristic_rate(norm_M, norm_there(system.C()), norm_there(system.K()));
}

}  // namespace halfdof
