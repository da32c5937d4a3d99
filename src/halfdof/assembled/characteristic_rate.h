// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>

namespace halfdof::internal {

/**
 * Computes a typical rate [1/s] of @f$ \lambda^2 M + \lambda C + K @f$ from the norms of the matrices:
 * @f$\sqrt{\|K\| / \|M\|}@f$; without mass @f$\|K\| / \|C\|@f$, without stiffness @f$\|C\| / \|M\|@f$, and
 * one if two of the matrices are zero.
 */
double characteristic_rate(double norm_M, double norm_C, double norm_K);

/// Computes the operator 1-norm of A, its largest column sum of moduli. Collective.
template <class Engine>
double one_norm(const typename Engine::Matrix& A) {
  const Vector norms = Engine::column_norms(A);
  return A.columns().communicator().max(norms.size() > 0 ? norms.maxCoeff() : 0.);
}

/// Computes a typical rate [1/s] of the free system from norms of its matrices, restricted to the rows and
/// columns in which M (without mass, C) has entries: algebraic DoFs have units of their own and are excluded.
/// Collective.
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

}  // namespace halfdof::internal
